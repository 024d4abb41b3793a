/** How the seats of a game look, for everything drawn inside of its table or replay. */
import { getContext, setContext } from "svelte";
import { lookOf, type SeatColour, type SeatLook } from "./kinds";
import { COLOURS } from "./messages";

const KEY = Symbol("seat colours");

/** Say which colours the seats of a game have. */
export function provideColours(colours: () => readonly SeatColour[]): void {
  setContext(KEY, colours);
}

/** Return a function from a seat to its look; before a game is known, seats have the colours of their numbers. */
export function useSeatLook(): (seat: number) => SeatLook {
  const colours: (() => readonly SeatColour[]) | undefined = getContext(KEY);
  return (seat) => lookOf(colours?.()[seat] ?? COLOURS[seat % COLOURS.length]!);
}
