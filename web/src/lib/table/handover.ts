/** Several people at one device: whose turn it is decides who may look. */
import type { SeatInfo, TableView } from "../wire";

/** The seat to hand the device to; null while whoever sits there now is to move, or nobody else at this device is. */
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

/** The links of this device's seats in the game that follows, where everybody sits one seat earlier. */
export function linksAfter(links: Record<number, string>, players: number, game: string): Record<number, string> {
  return Object.fromEntries(
    Object.entries(links).map(([seat, link]) => [(Number(seat) + players - 1) % players, `${game}.${link.split(".")[1] ?? ""}`]),
  );
}
