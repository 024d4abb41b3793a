/** Everything that was told in a game, oldest first, without gaps: what was missed is read up. */
import { api } from "../api";
import type { Told } from "../wire";

export class Story {
  entries: Told[] = $state.raw([]);
  #isReading = false;

  constructor(readonly link: string) {}

  add(fresh: Told[]): void {
    const known = new Set(this.entries.map((entry) => entry.n));
    const added = fresh.filter((entry) => !known.has(entry.n));
    if (added.length) this.entries = [...this.entries, ...added].sort((a, b) => a.n - b.n);
  }

  /** Read what is missing up to an entry; if the server cannot be reached, the next welcome tries again. */
  async readUp(last: number): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let gap = this.#gap(last); gap !== null; gap = this.#gap(last)) {
        const { entries } = await api.entries(this.link, gap - 1);
        if (!entries.length) break;
        this.add(entries);
      }
    } catch {
      // The table itself does not need the story.
    } finally {
      this.#isReading = false;
    }
  }

  /** The first number that is missing up to an entry. */
  #gap(last: number): number | null {
    const hole = this.entries.findIndex((entry, i) => entry.n !== i);
    const next = hole < 0 ? this.entries.length : hole;
    return next <= last ? next : null;
  }
}
