/** All entries of a game that this client may see, oldest first, without gaps: missed ones are fetched. */
import { api } from "../api";
import type { Told } from "../messages";

export class Story {
  entries: Told[] = $state.raw([]);
  #isReading = false;
  /** The last entry there is. */
  #last = -1;
  /** Increases with every reset; answers to requests made before the reset are ignored. */
  #round = 0;

  constructor(readonly link: string) {}

  add(fresh: Told[]): void {
    const known = new Set(this.entries.map((entry) => entry.n));
    const added = fresh.filter((entry) => !known.has(entry.n));
    if (added.length) this.entries = [...this.entries, ...added].sort((a, b) => a.n - b.n);
  }

  /** Forget everything and read it again up to an entry: it is another log, or tells more than before. */
  async restart(last: number): Promise<void> {
    this.#round += 1;
    this.entries = [];
    await this.readUp(last);
  }

  /** Read what is missing up to an entry; if the server cannot be reached, the next welcome tries again. */
  async readUp(last: number): Promise<void> {
    this.#last = last;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let gap = this.#gap(); gap !== null; gap = this.#gap()) {
        const round = this.#round;
        const { entries } = await api.entries(this.link, gap - 1);
        if (round !== this.#round) continue;
        if (!entries.length) break;
        this.add(entries);
      }
    } catch {
      // The table itself does not need the story.
    } finally {
      this.#isReading = false;
    }
  }

  /** The first number that is missing. */
  #gap(): number | null {
    const hole = this.entries.findIndex((entry, i) => entry.n !== i);
    const next = hole < 0 ? this.entries.length : hole;
    return next <= this.#last ? next : null;
  }
}
