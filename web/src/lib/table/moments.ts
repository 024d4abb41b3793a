/** The best moments of a finished game, found in its record, in which nothing is hidden. */
import { pathBetween } from "../board/paths";
import type { Ending, RouteInfo } from "../messages";
import type { RecordAction } from "../verify/record";
import type { EditionIndex } from "./editionIndex";

export type Moment =
  | { kind: "longest"; seat: number; route: string; length: number }
  | { kind: "block"; seat: number; victim: number; route: string; ticket: string; cost: number | null }
  | { kind: "draw"; seat: number; card: string; route: string };

interface ClaimedRoute {
  seat: number;
  route: string;
}

type Hand = Record<string, number>;
/** Shorter routes are no reason to speak of luck. */
const WORTH_TELLING = 3;

/** Return the moments of a game that are worth telling; `hands` are those that were dealt. */
export function bestMoments(actions: RecordAction[], hands: Hand[], ending: Ending, editionIndex: EditionIndex): Moment[] {
  const claims = actions
    .flatMap((action) => action.events)
    .filter((event) => event.kind === "claimed")
    .map(({ seat, details }): ClaimedRoute => ({ seat: seat ?? 0, route: details["route"] ?? "" }));
  const found = [longest(claims, editionIndex), luckiestDraw(actions, hands, editionIndex), hardestBlock(claims, ending, editionIndex)];
  return found.filter((moment) => moment !== null);
}

function longest(claims: ClaimedRoute[], editionIndex: EditionIndex): Moment | null {
  const lengths = claims.map(({ route }) => editionIndex.routes.get(route)?.length ?? 0);
  const most = Math.max(0, ...lengths);
  const claim = claims[lengths.indexOf(most)];
  return claim ? { kind: "longest", ...claim, length: most } : null;
}

/** The pieces that a seat would still need to join two cities; null if they are cut off. */
function distance(ticket: { a: string; b: string }, seat: number, owners: Map<string, number>, routes: RouteInfo[]): number | null {
  const open = routes
    .filter(({ name }) => (owners.get(name) ?? seat) === seat)
    .map((route) => (owners.has(route.name) ? { ...route, length: 0 } : route));
  const path = pathBetween(open, ticket.a, ticket.b);
  if (!path.length) return null;
  return open.filter(({ name }) => path.includes(name)).reduce((sum, { length }) => sum + length, 0);
}

/** The claim that made another seat's ticket most expensive, or impossible. */
function hardestBlock(claims: ClaimedRoute[], ending: Ending, editionIndex: EditionIndex): Moment | null {
  const { routes } = editionIndex.edition;
  const owners = new Map<string, number>();
  let worst: (Moment & { kind: "block" }) | null = null;
  const weight = (moment: { cost: number | null }): number => moment.cost ?? Infinity;
  for (const { seat, route } of claims) {
    const after = new Map(owners).set(route, seat);
    for (const [victim, names] of ending.tickets.entries()) {
      if (victim === seat) continue;
      for (const name of names) {
        const ticket = editionIndex.tickets.get(name);
        const before = ticket && distance(ticket, victim, owners, routes);
        if (!ticket || !before) continue;
        const now = distance(ticket, victim, after, routes);
        const cost = now === null ? null : now - before;
        if (cost === 0) continue;
        const found = { kind: "block" as const, seat, victim, route, ticket: name, cost };
        if (!worst || weight(found) > weight(worst)) worst = found;
      }
    }
    owners.set(route, seat);
  }
  return worst && weight(worst) >= 3 ? worst : null;
}

/** The card drawn blind without which the most valuable route could not have been claimed in the seat's next turn. */
function luckiestDraw(actions: RecordAction[], dealt: Hand[], editionIndex: EditionIndex): Moment | null {
  const hands = dealt.map((hand) => ({ ...hand }));
  /** What each seat has drawn blind in this turn of its own, and in the one before. */
  const drawn = dealt.map((): { now: string[]; before: string[] } => ({ now: [], before: [] }));
  let best: { moment: Moment; value: number } | null = null;
  for (const { kind, seat, details } of actions.flatMap((action) => action.events)) {
    if (seat === null) continue;
    const [hand, own] = [hands[seat]!, drawn[seat]!];
    const card = details["card"] ?? "";
    if (kind === "drew" || kind === "took") hand[card] = (hand[card] ?? 0) + 1;
    if (kind === "drew") own.now.push(card);
    if (kind === "claimed") {
      const route = editionIndex.routes.get(details["route"] ?? "");
      const locomotives = Number(details["locos"] ?? 0);
      const paid: Hand = { loco: locomotives };
      if (card !== "loco") paid[card] = (route?.length ?? 0) - locomotives;
      // Only the last of a kind was needed: with another one in hand, the route could have been claimed anyway.
      const needed = own.before.filter((each) => paid[each] && paid[each] === hand[each]);
      const value = route ? route.points || route.length : 0;
      if (route && route.length >= WORTH_TELLING && needed.length && value > (best?.value ?? 0)) {
        best = { value, moment: { kind: "draw", seat, card: needed.includes("loco") ? "loco" : needed[0]!, route: route.name } };
      }
      for (const [each, count] of Object.entries(paid)) hand[each] = (hand[each] ?? 0) - count;
    }
    if (kind === "turn ended") drawn[seat] = { now: [], before: own.now };
  }
  return best?.moment ?? null;
}
