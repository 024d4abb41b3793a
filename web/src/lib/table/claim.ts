/** A claim in the making: which lanes and payments there are to choose from, and what is chosen so far. */
import type { Choices, Payment } from "../choices";
import type { Atlas } from "./atlas";

export interface Option extends Payment {
  route: string;
}

export interface Draft {
  /** The lane that was pointed at. */
  route: string;
  /** Every legal payment for it and for its twin, fewest locomotives first. */
  options: Option[];
  chosen: Option | null;
}

/** Begin a claim; null if the route cannot be claimed. `colour` is the one chosen in hand, if any. */
export function draftClaim(choices: Choices, atlas: Atlas, route: string, colour: string | null): Draft | null {
  if (!choices.claims.has(route)) return null;
  const twin = atlas.routes.get(route)?.twin ?? null;
  const lanes = [route, ...(twin !== null && choices.claims.has(twin) ? [twin] : [])];
  const order = (option: Option): number => (option.colour === null ? atlas.kinds.length : atlas.kinds.indexOf(option.colour));
  const options = lanes
    .flatMap((lane) => choices.claims.get(lane)!.map((payment) => ({ ...payment, route: lane })))
    .sort((a, b) => a.locomotives - b.locomotives || order(a) - order(b));
  const draft: Draft = { route, options, chosen: null };
  const isPlain = lanes.length === 1 && atlas.routes.get(route)?.colour !== "grey";
  if (isPlain || options.length === 1) return { ...draft, chosen: options[0]! };
  const asInHand = colour === null ? undefined : options.find((option) => option.route === route && option.colour === colour);
  return { ...draft, chosen: asInHand ?? null };
}

/** What another tap on a lane of the draft does: it chooses there, or, if that is done, it confirms (null). */
export function tapAgain(draft: Draft, route: string): Draft | null {
  if (draft.chosen?.route === route) return null;
  return { ...draft, route, chosen: draft.options.find((option) => option.route === route) ?? null };
}
