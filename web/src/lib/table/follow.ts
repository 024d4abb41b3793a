/** Keeps a list at its end while it grows, unless the reader has scrolled up to read. */
export function followEnd(length: () => number): (list: HTMLElement) => () => void {
  const NEAR = 30;
  let follows = true;
  let top = 0;
  let frame = 0;
  return (list) => {
    length();
    // A scroll event comes a frame late, and lines may have been added meanwhile: only scrolling up was done by the reader.
    list.onscroll = () => {
      if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR) follows = true;
      else if (list.scrollTop < top) follows = false;
      top = list.scrollTop;
    };
    const toEnd = (): void => {
      if (!follows) return;
      list.scrollTop = list.scrollHeight;
      top = list.scrollTop;
    };
    // Measure once per frame, even if several lines are added.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(toEnd);
    const resized = new ResizeObserver(toEnd);
    resized.observe(list);
    return () => resized.disconnect();
  };
}
