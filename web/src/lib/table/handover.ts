/** Several players on one device: only the player whose turn it is may see their cards. */
import type { SeatInfo, TableView } from "../messages";

/** The seat to hand the device to; null while the current seat is to move, or no other seat on this device is. */
export function nextHere(
  view: TableView,
  seats: SeatInfo[],
  you: number | null,
  links: Record<number, string>,
): number | null {
  if (you === null || !(you in links)) return null;
  const isPersons = (seat: number): boolean => seats[seat]?.who === "person" && seats[seat].level === null;
  if (view.to_move.includes(you) && isPersons(you)) return null;
  return view.to_move.find((seat) => seat in links && isPersons(seat)) ?? null;
}

/** The links of this device's seats in the game that follows, where each player is one seat earlier. */
export function linksAfter(links: Record<number, string>, players: number, game: string): Record<number, string> {
  return Object.fromEntries(
    Object.entries(links).map(([seat, link]) => [(Number(seat) + players - 1) % players, `${game}.${link.split(".")[1] ?? ""}`]),
  );
}
