/** What each player did last, for readers who looked elsewhere meanwhile. */
import type { Event, Told } from "../messages";
import type { EditionIndex } from "./editionIndex";
import { type Part, phrase } from "./phrase";

export type TurnEvents = Event[];

/** The moves of a log that were not undone. */
export function standing(entries: Told[]): Told[] {
  const moves: Told[] = [];
  for (const entry of entries) {
    if (entry.kind === "moved") moves.push(entry);
    else if (entry.kind === "undone") moves.splice(-(entry.move ?? 1));
  }
  return moves;
}

/** Return for each seat the events of the last turn in which it did something. */
export function lastTurns(entries: Told[], seats: number): TurnEvents[] {
  const turns: TurnEvents[] = Array.from({ length: seats }, () => []);
  let before: number | null = null;
  for (const { seat, events = [] } of standing(entries)) {
    if (seat == null || !turns[seat]) continue;
    if (before !== seat) turns[seat] = [];
    turns[seat].push(...events.filter((event) => event.seat === seat));
    // With two players left in a game, or after a pass, the same seat may have two turns in a row.
    before = events.some((event) => event.kind === "turn began") ? null : seat;
  }
  return turns;
}

/** Return the routes that other seats have claimed since the last move of a seat. */
export function claimedSince(entries: Told[], you: number | null): Set<string> {
  const moves = standing(entries);
  const since = you === null ? moves.slice(-1) : moves.slice(moves.findLastIndex((entry) => entry.seat === you) + 1);
  const events = since.flatMap((entry) => entry.events ?? []);
  return new Set(events.filter((event) => event.kind === "claimed").map((event) => String(event.details["route"])));
}

/** Say in a few words what a seat did in a turn; nothing if it did nothing that others see. */
export function describeTurn(events: TurnEvents, editionIndex: EditionIndex): Part[] {
  const of = (kind: string): Event[] => events.filter((event) => event.kind === kind);
  const [claimed] = of("claimed");
  if (claimed) return phrase("last.claimed", { route: { kind: "place", text: editionIndex.route(String(claimed.details["route"])) } });
  const taken = of("took").map((event) => String(event.details["card"]));
  const drawn = of("drew").length;
  if (taken.length) {
    const piles = [...new Set(taken)].map((kind) => ({ kind, count: taken.filter((each) => each === kind).length }));
    return phrase(drawn ? "last.tookAndDrew" : "last.took", { cards: { kind: "cards", piles }, count: drawn });
  }
  if (drawn) return phrase("last.drew", { count: drawn });
  if (of("swapped").length) return phrase("last.swapped");
  const kept = of("kept").length;
  if (kept) return phrase("last.kept", { count: kept });
  if (of("offered").length) return phrase("last.offered");
  return of("passed").length ? phrase("last.passed") : [];
}
