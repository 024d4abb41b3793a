/** Whoever plays by keys or by ear must not be thrown back to the top of the page when what they used goes away. */
const REACHABLE = "[autofocus], a[href], button:not(:disabled), [tabindex='0']";

/** Watch a part of the page: if what has the focus is taken away, the focus goes to what is nearest to it. */
export function keepFocus(root: HTMLElement): void {
  /** What had the focus last, and everything that it lay in, from the inside out. */
  let around: Element[] = [];
  root.addEventListener("focusin", (event) => {
    around = [];
    for (let part: Element | null = event.target as Element; part && part !== root; part = part.parentElement) around.push(part);
    around.push(root);
  });
  new MutationObserver(() => {
    const [last] = around;
    if (document.activeElement !== document.body || !last || (last.isConnected && !last.matches(":disabled"))) return;
    for (const part of around) {
      if (!part.isConnected) continue;
      const next = [...part.querySelectorAll<HTMLElement | SVGElement>(REACHABLE)].find((each) => each.checkVisibility());
      if (!next) continue;
      next.focus({ preventScroll: true });
      return;
    }
  }).observe(root, { childList: true, subtree: true, attributeFilter: ["disabled"] });
}
