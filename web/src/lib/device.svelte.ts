/** What this device keeps for the page. A browser may keep nothing, or give back nonsense: the page plays all the same. */
type Shelf = "localStorage" | "sessionStorage";

class Device {
  /** What the reader should know: that nothing is kept, or that some of it could not be read. */
  trouble: "forgetful" | "unreadable" | null = $state(null);
  /** What the browser would not keep, by its name: it lasts as long as the page. */
  readonly #unkept = new Map<string, string>();
  #hasMissed = false;

  constructor() {
    if (!this.keep("goldenspike.probe", 1)) this.trouble = "forgetful";
  }

  /** What was kept under a name, as `read` makes it out of whatever is found there; null if there is nothing. */
  recall<T>(key: string, read: (found: unknown) => T, from: Shelf = "localStorage"): T | null {
    let text: string | null;
    try {
      text = this.#unkept.get(key) ?? window[from].getItem(key);
    } catch {
      return null;
    }
    if (text === null) return null;
    try {
      return read(JSON.parse(text));
    } catch {
      this.miss();
      return null;
    }
  }

  /** Keep something; tell whether the browser did. */
  keep(key: string, value: unknown, where: Shelf = "localStorage"): boolean {
    const text = JSON.stringify(value);
    try {
      window[where].setItem(key, text);
      this.#unkept.delete(key);
      return true;
    } catch {
      this.#unkept.set(key, text);
      return false;
    }
  }

  /** Tell the reader that something could not be read: once, for what is kept next takes its place. */
  miss(): void {
    if (!this.#hasMissed) this.trouble = "unreadable";
    this.#hasMissed = true;
  }

  /** Have something done whenever another page of this device has kept something under a name. */
  follow(key: string, act: () => void): void {
    globalThis.window?.addEventListener("storage", (event) => event.key === key && act());
  }
}

export const device = new Device();
