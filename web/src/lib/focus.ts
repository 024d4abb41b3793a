/** Keep the focus near its place when the focused element is removed, for players with a keyboard or a screen reader. */
const REACHABLE = "[autofocus], a[href], button:not(:disabled), [tabindex='0']";

/** Watch a part of the page: if the focused element is removed, focus the nearest one. */
export function keepFocus(root: HTMLElement): void {
  /** The last focused element and its ancestors, from the inside out. */
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
