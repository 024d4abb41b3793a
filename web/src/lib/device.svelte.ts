/** Data saved in the browser. If the browser saves nothing, or returns damaged data, the page still works. */
type SavedGames = "localStorage" | "sessionStorage";

class Device {
  /** A problem to show: nothing can be saved, or some data could not be read. */
  trouble: "storageBlocked" | "unreadable" | null = $state(null);
  /** Values that the browser did not save, by key; they last as long as the page. */
  readonly #unkept = new Map<string, string>();
  #hasMissed = false;

  constructor() {
    if (!this.keep("goldenspike.probe", 1)) this.trouble = "storageBlocked";
  }

  /** Return the value saved under a key, parsed by `read`; null if there is none. */
  recall<T>(key: string, read: (found: unknown) => T, from: SavedGames = "localStorage"): T | null {
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

  /** Save a value; tell whether the browser did. */
  keep(key: string, value: unknown, where: SavedGames = "localStorage"): boolean {
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

  /** Report once that a value could not be read; the next save replaces it. */
  miss(): void {
    if (!this.#hasMissed) this.trouble = "unreadable";
    this.#hasMissed = true;
  }

  /** Call `act` whenever another tab has saved something under a key. */
  follow(key: string, act: () => void): void {
    globalThis.window?.addEventListener("storage", (event) => event.key === key && act());
  }
}

export const device = new Device();
