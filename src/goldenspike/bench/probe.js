// Put into a page before it starts: notes when things happen in it. Read by page.py beside it and by the tests of the page.
{
  const probe = { ready: null, claims: [] };
  window.probe = probe;
  let told = null;
  let framesSince = 0;
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", () => {
        told = performance.now();
        framesSince = 0;
      });
    }
  };
  const count = () => {
    framesSince += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);

  // Ready: the page is drawn, and its main button, or the table, can be used.
  const isReady = () => document.querySelector("button.primary:not([disabled]), [data-testid=table] [data-route]") !== null;
  const afterPaint = (act) => requestAnimationFrame(() => setTimeout(act));
  new MutationObserver((changes) => {
    if (probe.ready === null && isReady()) {
      probe.ready = 0;
      afterPaint(() => (probe.ready = performance.now()));
    }
    for (const change of changes) {
      if (change.attributeName !== "data-owner" || change.oldValue !== null || told === null) continue;
      const [from, frames] = [told, framesSince];
      afterPaint(() => probe.claims.push({ route: change.target.dataset.route, ms: performance.now() - from, frames }));
    }
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeOldValue: true, attributeFilter: ["data-owner", "disabled"] });

  /** Note the time of every frame from now on, until the answer is called. */
  probe.film = () => {
    const times = [];
    let isOn = true;
    const note = (now) => {
      times.push(now);
      if (isOn) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    probe.cut = () => {
      isOn = false;
      return times.slice(1).map((time, i) => time - times[i]);
    };
  };

  /** Note from now on what changes in the board, by the route or part in which it does. */
  probe.watch = () => {
    const board = document.querySelector("[data-testid=board] svg");
    const seen = new Map();
    const observer = new MutationObserver((changes) => {
      for (const { target, attributeName } of changes) {
        const part = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
        const route = part?.closest("[data-route]")?.dataset.route;
        const key = route ?? (part === board ? `board ${attributeName}` : (part?.closest("[data-stop]")?.dataset.stop ?? part?.tagName ?? "gone"));
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    });
    observer.observe(board, { subtree: true, childList: true, attributes: true, characterData: true });
    probe.changes = () => Object.fromEntries(seen);
  };

  /** How many bytes came over the network for this page. */
  probe.bytes = () =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
      (sum, entry) => sum + entry.encodedBodySize,
      0,
    );
}
