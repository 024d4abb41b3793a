/** Announcements for screen readers: short sentences, in order. */
const KEPT = 6;

export class Announcements {
  sentences: { id: number; text: string }[] = $state.raw([]);
  #next = 0;

  say(text: string): void {
    this.sentences = [...this.sentences, { id: this.#next++, text }].slice(-KEPT);
  }
}
