/** Seats as the start page has them, and as the server is asked for them. */
import type { SeatColour } from "./kinds";
import { CHARACTERS, COLOURS, type BotCharacter, type EditionCard, type SeatWish } from "./messages";

export type Sitter = "here" | "link" | "open" | "easy" | "medium" | "hard";
export const SITTERS: readonly Sitter[] = ["here", "link", "open", "easy", "medium", "hard"];

export interface SeatPlan {
  /** Tells seats apart while they are added and removed. */
  key: number;
  sitter: Sitter;
  name: string;
  /** The colour and the bot that were chosen here; without a choice, the seat gets one that is free. */
  colour: SeatColour | null;
  bot: string | null;
}

let keys = 0;

export function newSeat(sitter: Sitter, name = "", colour: SeatColour | null = null): SeatPlan {
  return { key: ++keys, sitter, name, colour, bot: null };
}

export function isBot(sitter: Sitter): boolean {
  return sitter === "easy" || sitter === "medium" || sitter === "hard";
}

/** Give every seat what it has chosen, or else the first free one of a list that begins at its number. */
function assign<T>(chosen: (T | undefined)[], listFor: (seat: number) => readonly T[], taken: T[] = []): (T | undefined)[] {
  const given = chosen.map((wish, seat) => (chosen.indexOf(wish) === seat ? wish : undefined));
  const used = new Set([...taken, ...given]);
  return given.map((wish, seat) => {
    const all = listFor(seat);
    const inOrder = all.map((_, i) => all[(seat + i) % all.length]!);
    const found = wish ?? inOrder.find((each) => !used.has(each));
    used.add(found);
    return found;
  });
}

/** The colour of each seat, all different. */
export function coloursOf(seats: SeatPlan[]): SeatColour[] {
  return assign(seats.map((seat) => seat.colour ?? undefined), () => COLOURS) as SeatColour[];
}

/** The bots of a level. */
export function botsOf(level: Sitter): BotCharacter[] {
  return CHARACTERS.filter((bot) => bot.level === level);
}

/** The bot of each seat, all different, and none with the name of a person; undefined for people. */
export function seatBots(seats: SeatPlan[]): (BotCharacter | undefined)[] {
  const people = new Set(seats.filter((seat) => !isBot(seat.sitter)).map((seat) => seat.name.trim().toLowerCase()));
  const namesakes = CHARACTERS.filter((bot) => people.has(bot.name.toLowerCase()));
  const chosen = seats.map((seat) => botsOf(seat.sitter).find((bot) => bot.name === seat.bot));
  return assign(chosen, (seat) => botsOf(seats[seat]!.sitter), namesakes);
}

/** The seats as the server is asked for them. */
export function toWishes(seats: SeatPlan[]): SeatWish[] {
  const colours = coloursOf(seats);
  const bots = seatBots(seats);
  return seats.map((seat, i): SeatWish => {
    const { sitter } = seat;
    const [colour, bot] = [colours[i]!, bots[i]];
    if (bot) return { who: "bot", level: bot.level, name: bot.name, colour };
    return { who: sitter as "here" | "link" | "open", name: seat.name.trim().slice(0, 40) || null, colour };
  });
}

/** Choose a colour for a seat; the seat that had it gets the other one's. */
export function swapColours(seats: SeatPlan[], seat: number, colour: SeatColour): void {
  const colours = coloursOf(seats);
  const other = colours.indexOf(colour);
  if (other >= 0) seats[other]!.colour = colours[seat]!;
  seats[seat]!.colour = colour;
}

/** The seats that fit an edition: too many are dropped from the end, missing ones filled with bots. */
export function fitSeats(seats: SeatPlan[], edition: EditionCard): SeatPlan[] {
  const fitting = seats.slice(0, edition.players[1]);
  while (fitting.length < edition.players[0]) fitting.push(newSeat("medium"));
  return fitting;
}
