/** Short animations of what has just been shown. Each fits into the time for which its entry is shown. */
import { duration, showTime } from "../settings.svelte";
import type { Event, Told } from "../messages";
import { play } from "./sounds";

const FLIGHT = 480;
const TRAIN = 130;
const MOMENT = 2_200;
/** For how long each kind of event is shown before the next move, in milliseconds at the normal pace. */
const SHOWN: Record<string, number> = {
  claimed: 1_400,
  completed: 1_600,
  drew: 750,
  took: 850,
  offered: 900,
  kept: 900,
  swapped: 900,
  passed: 700,
  wiped: 1_100,
};
/** Events that are still news to a reader who has skipped what led to them. */
const LASTING = new Set(["joined", "completed", "turn began", "last round", "ended"]);
/** With more updates than this behind, each is shown for a shorter time. */
const FEW = 6;

/** Return for how many milliseconds entries are shown before what comes after them. */
export function shownFor(entries: Told[], behind: number): number {
  const times = entries
    .filter((entry) => entry.kind === "moved")
    .map((entry) => Math.max(0, ...(entry.events ?? []).map((event) => SHOWN[event.kind] ?? 0)));
  const time = times.reduce((sum, each) => sum + each, 0);
  return showTime(time) / Math.max(1, behind / FEW);
}

/** A card that moves from one part of the table to another; parts are found by their names. */
export interface Flight {
  id: number;
  kind: string | null;
  from: string;
  to: string;
  time: number;
}

export class Animations {
  flights: Flight[] = $state.raw([]);
  /** Routes whose trains are being laid. */
  laying: Set<string> = $state.raw(new Set());
  stamped: Set<string> = $state.raw(new Set());
  /** The own ticket that was completed a moment ago. */
  celebrated: string | null = $state(null);
  /** Increases when the face-up row is replaced. */
  wipes = $state(0);
  readonly trainTime = $derived(duration(TRAIN));

  #next = 0;
  readonly #places = new Map<string, Element>();

  /** To be attached to a part of the table that cards fly from or to. */
  place(name: string): (element: Element) => () => void {
    return (element) => {
      this.#places.set(name, element);
      return () => {
        if (this.#places.get(name) === element) this.#places.delete(name);
      };
    };
  }

  where(name: string): DOMRect | null {
    return this.#places.get(name)?.getBoundingClientRect() ?? null;
  }

  land(id: number): void {
    this.flights = this.flights.filter((flight) => flight.id !== id);
  }

  /** Show what has happened. If it is shown late, or not seen at all, only what still matters then begins. */
  show(entries: Told[], you: number | null, isLate: boolean): void {
    for (const entry of entries) {
      if (entry.kind === "undone") this.laying = new Set();
      if (entry.kind === "said" && entry.seat !== you) play("word");
      const events = entry.kind === "moved" ? (entry.events ?? []) : [];
      for (const event of events) if (!isLate || LASTING.has(event.kind)) this.#begin(event, you);
    }
  }

  /** Begin what an event looks and sounds like. */
  #begin({ kind, seat, details }: Event, you: number | null): void {
    const to = (card: unknown): string => (seat === you && card ? `hand:${card as string}` : `seat:${seat}`);
    const card = (details["card"] ?? null) as string | null;
    switch (kind) {
      case "drew":
        return this.#fly(card, "deck", to(card));
      case "took":
        return this.#fly(card, `row:${details["slot"] as number}`, to(card));
      case "offered":
        return this.#fly(null, "tickets", seat === you ? "offer" : `seat:${seat}`);
      case "claimed":
        return this.#lay(String(details["route"]));
      case "joined":
      case "completed":
        if (seat === you) this.#celebrate(String(details["ticket"]));
        return play("stamp");
      case "wiped":
        this.wipes += 1;
        return play("sweep");
      case "turn began":
        return seat === you ? play("turn") : undefined;
      case "last round":
        return play("bell");
      case "ended":
        return play("end");
    }
  }

  #celebrate(ticket: string): void {
    this.stamped = new Set([...this.stamped, ticket]);
    const time = showTime(MOMENT);
    if (time === 0) return;
    this.celebrated = ticket;
    setTimeout(() => {
      if (this.celebrated === ticket) this.celebrated = null;
    }, time);
  }

  #lay(route: string): void {
    this.laying = new Set(this.laying).add(route);
    play("train");
    setTimeout(
      () => {
        const laying = new Set(this.laying);
        laying.delete(route);
        this.laying = laying;
      },
      duration(TRAIN * 12) + 50,
    );
  }

  #fly(kind: string | null, from: string, to: string): void {
    play("card");
    const time = duration(FLIGHT);
    if (time > 0) this.flights = [...this.flights, { id: this.#next++, kind, from, to, time }];
  }
}
