/** The end of a game, step by step: each ticket with the path that completed it, other bonuses, then the longest paths. */
import { inOrder, pathBetween } from "../board/paths";
import type { Ending, RouteInfo, SeatView } from "../messages";
import type { EditionIndex } from "./editionIndex";

export interface CeremonyStep {
  seat: number;
  /** The term of the score that its points belong to. */
  term: string;
  /** The ticket that is revealed, if it is one. */
  ticket: string | null;
  /** Whether it is the bonus ticket for connecting the coasts (J-5). */
  isBonus: boolean;
  cities: string[];
  routes: string[];
  isGood: boolean;
  points: number;
  /** Of the longest path, in spaces. */
  length: number;
}

export const PATH = "longest path";
const MADE = "tickets made";
const FAILED = "tickets failed";
/** Terms that are known from the start, or told ticket by ticket. */
const TOLD_OTHERWISE = new Set(["routes", MADE, FAILED, "completed tickets"]);

/** Seats from the last to the first, as they come out; the smallest tickets first, the failed ones last. */
export function ceremony(ending: Ending, seats: SeatView[], editionIndex: EditionIndex): CeremonyStep[] {
  const routesOf = (seat: number): RouteInfo[] =>
    (seats[seat]?.routes ?? []).flatMap((name) => editionIndex.routes.get(name) ?? []);
  const order = seats.map((_, seat) => seat).sort((a, b) => ending.totals[a]! - ending.totals[b]!);
  const steps = order.flatMap((seat) => {
    const tickets = new Set([...(seats[seat]?.completed ?? []), ...(ending.tickets[seat] ?? [])]);
    const shown = [...tickets].flatMap((name) => ticketStep(name, seat, editionIndex, routesOf(seat)));
    if (seats[seat]?.has_bonus_ticket) shown.push(bonusStep(seat, editionIndex, routesOf(seat)));
    return shown.sort((a, b) => Number(b.isGood) - Number(a.isGood) || Math.abs(a.points) - Math.abs(b.points));
  });
  // The longest path is traced last.
  const terms = ending.terms.filter((term) => !TOLD_OTHERWISE.has(term)).sort((a, b) => Number(a === PATH) - Number(b === PATH));
  const bonuses = terms.flatMap((term) =>
    order.flatMap((seat) => {
      const points = ending.points[seat]?.[ending.terms.indexOf(term)] ?? 0;
      return points > 0 ? [termStep(term, seat, points, ending, editionIndex, routesOf(seat))] : [];
    }),
  );
  return [...steps, ...bonuses];
}

function ticketStep(name: string, seat: number, editionIndex: EditionIndex, own: RouteInfo[]): CeremonyStep[] {
  const ticket = editionIndex.tickets.get(name);
  if (!ticket) return [];
  const routes = pathBetween(own, ticket.a, ticket.b);
  const isGood = routes.length > 0;
  const points = editionIndex.hasPoints ? (isGood ? ticket.points : -ticket.points) : 0;
  const term = isGood ? MADE : FAILED;
  return [{ seat, term, ticket: name, isBonus: false, cities: [ticket.a, ticket.b], routes, isGood, points, length: 0 }];
}

/** The bonus ticket, with the shortest of the paths that earned it. */
function bonusStep(seat: number, editionIndex: EditionIndex, own: RouteInfo[]): CeremonyStep {
  const [here, there] = editionIndex.edition.rules.coast_to_coast.map((mark) => editionIndex.edition.cities.filter((city) => city.marks.includes(mark)));
  const ends = (here ?? []).flatMap((a) => (there ?? []).map((b): [string, string] => [a.code, b.code]));
  const paths = ends.map((cities) => ({ cities, routes: pathBetween(own, ...cities) })).filter(({ routes }) => routes.length > 0);
  const shortest = paths.sort((a, b) => a.routes.length - b.routes.length)[0] ?? { cities: [], routes: [] };
  return { seat, term: MADE, ticket: null, isBonus: true, ...shortest, isGood: true, points: 0, length: 0 };
}

/** How many tickets a seat has completed, the bonus ticket among them. */
export function completedBy(seat: SeatView): number {
  return seat.completed.length + Number(seat.has_bonus_ticket);
}

/** A term of the score that is told at once: of the longest path, its routes; of attractions, those reached. */
function termStep(term: string, seat: number, points: number, ending: Ending, editionIndex: EditionIndex, own: RouteInfo[]): CeremonyStep {
  const path = (ending.longest[seat] ?? []).flatMap((name) => editionIndex.routes.get(name) ?? []);
  const routes = term === PATH ? inOrder(path) : [];
  const length = term === PATH ? path.reduce((sum, route) => sum + route.length, 0) : 0;
  const reached = new Set(own.flatMap(({ a, b }) => [a, b]));
  const isSight = (code: string): boolean => editionIndex.cities.get(code)?.marks.includes("attraction") ?? false;
  const cities = term === "attractions" ? [...reached].filter(isSight) : [];
  return { seat, term, ticket: null, isBonus: false, cities, routes, isGood: true, points, length };
}

/** A seat's total as far as the first steps tell it; that of the routes is known from the start. */
export function totalShown(ending: Ending, steps: CeremonyStep[], shown: number, seat: number): number {
  if (shown >= steps.length) return ending.totals[seat] ?? 0;
  const told = steps.slice(0, shown + 1).filter((step) => step.seat === seat);
  if (ending.terms.includes("completed tickets")) return told.filter((step) => step.isGood).length;
  const routes = ending.points[seat]?.[ending.terms.indexOf("routes")] ?? 0;
  return routes + told.reduce((sum, step) => sum + step.points, 0);
}
