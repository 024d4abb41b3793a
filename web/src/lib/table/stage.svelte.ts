/** Short animations of what happened. They run beside the game and never hold it up: the views are always ahead of them. */
import { duration, settings } from "../settings.svelte";
import type { Event, Told } from "../wire";
import { play, type Sound } from "./sounds";

const FLIGHT = 480;
const TRAIN = 130;
const STAMP = 600;
/** However much happens at once, the last of it begins by then. */
const LONGEST_WAIT = 2_500;

/** A card on its way from one part of the table to another; parts are found by their names. */
export interface Flight {
  id: number;
  kind: string | null;
  from: string;
  to: string;
  delay: number;
  time: number;
}

export class Stage {
  flights: Flight[] = $state.raw([]);
  /** Routes whose trains are being laid, and after how many milliseconds the first one is. */
  laying: Map<string, number> = $state.raw(new Map());
  stamped: Set<string> = $state.raw(new Set());
  /** Grows when the face-up row is dealt anew. */
  wipes = $state(0);
  readonly trainTime = $derived(settings.speed === 0 ? 0 : TRAIN / settings.speed);

  #next = 0;
  #freeAt = 0;
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

  show(entries: Told[], you: number | null): void {
    for (const entry of entries) {
      if (entry.kind === "undone") this.laying = new Map();
      if (entry.kind === "said" && entry.seat !== you) play("word");
      if (entry.kind === "moved") this.#entry(entry.events ?? [], you);
    }
  }

  #entry(events: Event[], you: number | null): void {
    const now = performance.now();
    const delay = Math.min(Math.max(0, this.#freeAt - now), duration(LONGEST_WAIT));
    let length = 0;
    for (const event of events) length = Math.max(length, this.#event(event, you, delay));
    this.#freeAt = now + delay + duration(length);
  }

  /** Begin what an event looks and sounds like; return how long it takes at normal speed. */
  #event({ kind, seat, details }: Event, you: number | null, delay: number): number {
    const to = (card: unknown): string => (seat === you && card ? `hand:${card as string}` : `seat:${seat}`);
    const card = (details["card"] ?? null) as string | null;
    switch (kind) {
      case "drew":
        this.#fly(card, "deck", to(card), delay);
        return FLIGHT;
      case "took":
        this.#fly(card, `row:${details["slot"] as number}`, to(card), delay);
        return FLIGHT;
      case "offered":
        this.#fly(null, "tickets", seat === you ? "offer" : `seat:${seat}`, delay);
        return FLIGHT;
      case "claimed":
        return this.#lay(String(details["route"]), delay);
      case "joined":
      case "completed":
        if (seat === you) this.stamped = new Set([...this.stamped, String(details["ticket"])]);
        sound("stamp", delay);
        return seat === you ? STAMP : 0;
      case "wiped":
        this.wipes += 1;
        sound("sweep", delay);
        return FLIGHT;
      case "turn began":
        if (seat === you) sound("turn", delay);
        return 0;
      case "last round":
        sound("bell", delay);
        return 0;
      case "ended":
        sound("end", delay);
        return 0;
      default:
        return 0;
    }
  }

  #lay(route: string, delay: number): number {
    this.laying = new Map(this.laying).set(route, delay);
    sound("train", delay);
    setTimeout(() => {
      const laying = new Map(this.laying);
      laying.delete(route);
      this.laying = laying;
    }, delay + duration(TRAIN * 12) + 50);
    return TRAIN * 5;
  }

  #fly(kind: string | null, from: string, to: string, delay: number): void {
    sound("card", delay);
    const time = duration(FLIGHT);
    if (time === 0) return;
    this.flights = [...this.flights, { id: this.#next++, kind, from, to, delay, time }];
  }
}

function sound(name: Sound, delay: number): void {
  setTimeout(() => play(name), delay);
}
