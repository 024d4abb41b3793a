/** Places of the players in a finished game. */
import type { Ending } from "../messages";
import { ordinal, t } from "../words";

export interface FinalPlace {
  seat: number;
  /** From 1; players who share a place have the same number. */
  place: number;
}

/** Return the seats from the first place to the last. Only winners have the first place: ties may have been broken. */
export function placesOf(ending: Ending): FinalPlace[] {
  const rank = (seat: number): number => (ending.winners.includes(seat) ? Infinity : (ending.totals[seat] ?? 0));
  const seats = ending.totals.map((_, seat) => seat).sort((a, b) => rank(b) - rank(a));
  return seats.map((seat) => ({ seat, place: 1 + seats.filter((other) => rank(other) > rank(seat)).length }));
}

/** Return a sentence with a seat's final place; empty for a spectator. */
export function placeOf(ending: Ending, places: FinalPlace[], seat: number | null, names: string[]): string {
  if (seat === null) return "";
  const own = places.find((each) => each.seat === seat)!;
  const behind = ending.totals[ending.winners[0]!]! - ending.totals[seat]!;
  if (own.place > 1) {
    const winner = names[ending.winners[0]!] ?? "";
    if (behind === 0) return t("end.placeTied", { place: ordinal(own.place), name: winner });
    return t("end.place", { place: ordinal(own.place), count: behind, name: winner });
  }
  if (ending.winners.length > 1) return t("end.youShare");
  const next = places.find((each) => each.seat !== seat);
  const ahead = next ? -(ending.totals[next.seat]! - ending.totals[seat]!) : 0;
  return ahead > 0 ? t("end.youWinBy", { count: ahead }) : t("end.youWin");
}

/** Say in a sentence for others how a seat did, or what there is to see. */
export function resultOf(ending: Ending, seat: number | null, edition: string): string {
  if (seat === null) return t("end.shareWatched", { edition });
  const gaps = { edition, count: ending.totals.length };
  if (ending.winners.includes(seat)) return t("end.shareWon", gaps);
  const place = placesOf(ending).find((each) => each.seat === seat)!.place;
  return t("end.sharePlace", { ...gaps, place: ordinal(place) });
}
