/** Items that are applied one after another; each stays for its time before the next one is applied. */
export class PacedQueue<Item> {
  #waiting: Item[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `apply` shows an item; `timeOf` returns for how many milliseconds, given how many items wait behind it. */
  constructor(
    readonly apply: (item: Item) => void,
    readonly timeOf: (item: Item, behind: number) => number,
  ) {}

  /** Whether something has arrived that has not been applied yet. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#timer === undefined) this.#next();
  }

  /** Apply everything that waits, and do not wait after it either. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const item of this.#waiting.splice(0)) this.apply(item);
  }

  #next(): void {
    this.#timer = undefined;
    const item = this.#waiting.shift();
    if (item === undefined) return;
    this.apply(item);
    const time = this.timeOf(item, this.#waiting.length);
    if (time > 0) this.#timer = setTimeout(() => this.#next(), time);
    else this.#next();
  }
}
