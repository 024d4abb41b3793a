/** The decks of a game as its seed deals them. The record says when cards are drawn; this computes which card each must be. */
import type { EditionInfo } from "../messages";
import { CARDS, Chance, FIRST_SEAT, TICKETS } from "./chance";

/** The last kind of card; editions with fewer than eight colours leave kinds out. */
const LOCOMOTIVE = 8;

/** What is needed of an edition. */
export type DealtEdition = Pick<EditionInfo, "colours" | "face_up"> & {
  rules: Pick<EditionInfo["rules"], "cards_of_a_colour" | "deal" | "locomotives" | "opening_hand" | "ticket_flow">;
  routes: Pick<EditionInfo["routes"][number], "length" | "name">[];
  tickets: Pick<EditionInfo["tickets"][number], "name">[];
};

/** Cards and tickets that no player has yet. */
export class Decks {
  readonly #cards: Chance;
  readonly #names: (string | undefined)[];
  readonly #deck: number[];
  readonly #discards: number[];
  /** From the top. */
  readonly tickets: string[];
  readonly first: number;
  /** Cards and tickets drawn so far. */
  draws = 0;

  constructor(edition: DealtEdition, seats: number, seed: Uint8Array) {
    const { rules } = edition;
    this.#names = Array.from({ length: LOCOMOTIVE + 1 }, (_, kind) => (kind === LOCOMOTIVE ? "loco" : edition.colours[kind]));
    this.#deck = this.#names.map((name) => (name === undefined ? 0 : name === "loco" ? rules.locomotives : rules.cards_of_a_colour));
    this.#discards = this.#deck.map(() => 0);
    this.first = new Chance(seed, FIRST_SEAT).below(seats);
    this.tickets = edition.tickets.map((ticket) => ticket.name);
    new Chance(seed, TICKETS).shuffle(this.tickets);
    this.#cards = new Chance(seed, CARDS);
  }

  get size(): number {
    return sum(this.#deck);
  }

  get discarded(): number {
    return sum(this.#discards);
  }

  get locomotives(): { deck: number; discards: number } {
    return { deck: this.#deck[LOCOMOTIVE]!, discards: this.#discards[LOCOMOTIVE]! };
  }

  /** Take the top card, which is any of those left with equal chance; null if there is none. */
  drawCard(): string | null {
    const { size } = this;
    if (size === 0) return null;
    let nth = this.#cards.below(size);
    const kind = this.#deck.findIndex((count) => (nth -= count) < 0);
    this.#deck[kind]! -= 1;
    this.draws += 1;
    return this.#names[kind] ?? null;
  }

  drawTicket(): string | null {
    const ticket = this.tickets.shift() ?? null;
    if (ticket !== null) this.draws += 1;
    return ticket;
  }

  discard(card: string, count: number): void {
    this.#discards[this.#names.indexOf(card)]! += count;
  }

  /** Make the discards the deck. */
  reshuffle(): void {
    for (const kind of this.#deck.keys()) {
      this.#deck[kind]! += this.#discards[kind]!;
      this.#discards[kind] = 0;
    }
  }
}

function sum(counts: number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
