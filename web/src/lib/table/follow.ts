/** Keeps a list at its end while it grows, unless the reader has scrolled up to read. */
export function followEnd(length: () => number): (list: HTMLElement) => void {
  let isAtEnd = true;
  let first = true;
  let frame = 0;
  return (list) => {
    list.onscroll = () => (isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30);
    length();
    if (!first && !isAtEnd) return;
    first = false;
    // However much is added in a frame, it is measured once.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  };
}
