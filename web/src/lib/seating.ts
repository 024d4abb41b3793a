/** Seats as the start page has them, and as the server is asked for them. */
import type { EditionCard, SeatWish } from "./wire";

export type Sitter = "here" | "link" | "open" | "easy" | "medium" | "hard";
export const SITTERS: readonly Sitter[] = ["here", "link", "open", "easy", "medium", "hard"];

export interface SeatPlan {
  /** Tells seats apart while they are added and removed. */
  key: number;
  sitter: Sitter;
  name: string;
}

let keys = 0;

export function newSeat(sitter: Sitter, name = ""): SeatPlan {
  return { key: ++keys, sitter, name };
}

export function isBot(sitter: Sitter): boolean {
  return sitter === "easy" || sitter === "medium" || sitter === "hard";
}

export function toWish(seat: SeatPlan): SeatWish {
  const name = seat.name.trim().slice(0, 40) || null;
  return isBot(seat.sitter)
    ? { who: "bot", level: seat.sitter, name }
    : { who: seat.sitter as "here" | "link" | "open", name };
}

/** The seats that fit an edition: too many are dropped from the end, missing ones filled with bots. */
export function fitSeats(seats: SeatPlan[], edition: EditionCard): SeatPlan[] {
  const fitting = seats.slice(0, edition.players[1]);
  while (fitting.length < edition.players[0]) fitting.push(newSeat("medium"));
  return fitting;
}
