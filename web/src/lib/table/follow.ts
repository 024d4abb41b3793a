/** Keeps a list at its end while it grows, unless the reader has scrolled up to read. */
export function followEnd(length: () => number): (list: HTMLElement) => void {
  let isAtEnd = true;
  let first = true;
  return (list) => {
    list.onscroll = () => (isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30);
    length();
    if (first || isAtEnd) list.scrollTop = list.scrollHeight;
    first = false;
  };
}
