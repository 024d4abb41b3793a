/** A claim before it is played: the lanes and payments to choose from, and the choices so far. */
import type { Choices, Payment } from "../choices";
import { t } from "../words";
import { type EditionIndex, pilesOf } from "./editionIndex";
import type { Point } from "./table.svelte";

export interface Option extends Payment {
  route: string;
}

/** A colour to pay a lane with. Its payments differ in the number of locomotives, which they are sorted by. */
export interface Way {
  route: string;
  /** Null if it is paid with nothing but locomotives. */
  colour: string | null;
  options: Option[];
}

export interface Draft {
  /** The lane that was tapped. */
  route: string;
  /** Every colour for it, and for its twin. */
  ways: Way[];
  way: Way;
  chosen: Option;
  /** The point of the page that was tapped; null if the claim was begun otherwise. */
  at: Point | null;
}

/** What a player has: cards by kind, and the kind that is chosen in hand, if any. */
export interface Means {
  hand: Record<string, number>;
  kind: string | null;
}

/** Begin a claim with the payment that most players would choose; null if the route cannot be claimed. */
export function draftClaim(choices: Choices, editionIndex: EditionIndex, route: string, means: Means, at: Point | null = null): Draft | null {
  if (!choices.claims.has(route)) return null;
  const twin = editionIndex.routes.get(route)?.twin ?? null;
  const lanes = [route, ...(twin !== null && choices.claims.has(twin) ? [twin] : [])];
  const ways = lanes.flatMap((lane) => waysFor(choices, editionIndex, lane));
  return start({ route, ways, at }, means);
}

/** What another tap on a lane of the draft does: it chooses there, or, if that is done, it confirms (null). */
export function tapAgain(draft: Draft, route: string, means: Means): Draft | null {
  if (draft.chosen.route === route) return null;
  const same = draft.ways.find((way) => way.route === route && way.colour === draft.way.colour);
  return same ? choose({ ...draft, route }, same) : start({ ...draft, route }, means);
}

/** Pay with another colour, and with as many locomotives as before where that is possible. */
export function choose(draft: Draft, way: Way): Draft {
  const chosen = way.options.find((option) => option.locomotives === draft.chosen.locomotives) ?? way.options[0]!;
  return { ...draft, route: way.route, way, chosen };
}

/** The payment with one locomotive more or less; null if there is none. */
export function step(draft: Draft, by: 1 | -1): Option | null {
  return draft.way.options[draft.way.options.indexOf(draft.chosen) + by] ?? null;
}

/** The colours to choose from. The twin's are left out where they are the same: its lane is chosen on the board. */
export function offered(draft: Draft): Way[] {
  const own = draft.ways.filter((way) => way.route === draft.route);
  const isSame = draft.ways.every((way) => own.some(({ colour }) => colour === way.colour));
  return isSame ? own : draft.ways;
}

/** What would be paid, in words: "red lane: 2 red cards and 1 locomotive". */
export function paymentOf(editionIndex: EditionIndex, { ways, chosen }: Draft): string {
  const cards = editionIndex.piles(pilesOf(chosen.colour, chosen.cards, chosen.locomotives));
  const lanes = new Set(ways.map(({ route }) => editionIndex.routes.get(route)?.colour));
  return lanes.size === 1 ? cards : t("claim.laneFor", { colour: editionIndex.card(editionIndex.routes.get(chosen.route)!.colour), cards });
}

/** The colours of a lane. Locomotives alone are the last step of each, and a way of their own only without any colour. */
function waysFor(choices: Choices, editionIndex: EditionIndex, route: string): Way[] {
  const options = choices.claims.get(route)!.map((payment) => ({ ...payment, route }));
  const bare = options.filter((option) => option.colour === null);
  const colours = editionIndex.kinds.filter((kind) => options.some((option) => option.colour === kind));
  if (!colours.length) return [{ route, colour: null, options: bare }];
  return colours.map((colour) => ({ route, colour, options: [...options.filter((option) => option.colour === colour), ...bare] }));
}

/** Choose the colour selected in hand, else the fewest locomotives and of those the colour with the most cards left. */
function start(draft: Pick<Draft, "route" | "ways" | "at">, { hand, kind }: Means): Draft {
  const own = draft.ways.filter((way) => way.route === draft.route);
  const left = ({ colour, options }: Way): number => (hand[colour ?? "loco"] ?? 0) - options[0]!.cards;
  const order = (a: Way, b: Way): number => a.options[0]!.locomotives - b.options[0]!.locomotives || left(b) - left(a);
  const way = own.find(({ colour }) => colour !== null && colour === kind) ?? own.toSorted(order)[0]!;
  return { ...draft, way, chosen: way.options[0]! };
}
