/** What is read out to those who do not see the table: short sentences, in order. */
const KEPT = 6;

export class Voice {
  sentences: { id: number; text: string }[] = $state.raw([]);
  #next = 0;

  say(text: string): void {
    this.sentences = [...this.sentences, { id: this.#next++, text }].slice(-KEPT);
  }
}
