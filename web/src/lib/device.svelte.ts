/** What this device keeps for the page. A browser may keep nothing, or give back nonsense: the page plays all the same. */
type Shelf = "localStorage" | "sessionStorage";

class Device {
  /** What the reader should know: that nothing is kept, or that some of it could not be read. */
  trouble: "forgetful" | "unreadable" | null = $state(null);

  constructor() {
    if (!this.keep("goldenspike.probe", 1)) this.trouble = "forgetful";
  }

  /** What was kept under a name, as `read` makes it out of whatever is found there; null if there is nothing. */
  recall<T>(key: string, read: (found: unknown) => T, from: Shelf = "localStorage"): T | null {
    let text: string | null;
    try {
      text = window[from].getItem(key);
    } catch {
      return null;
    }
    if (text === null) return null;
    try {
      return read(JSON.parse(text));
    } catch {
      this.trouble = "unreadable";
      return null;
    }
  }

  /** Keep something; tell whether the browser did. */
  keep(key: string, value: unknown, where: Shelf = "localStorage"): boolean {
    try {
      window[where].setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}

export const device = new Device();
