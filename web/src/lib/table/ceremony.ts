/** The end of a game, step by step: each ticket with the path that made it, then the longest paths. */
import { pathBetween } from "../board/paths";
import type { Ending, RouteInfo, SeatView } from "../wire";
import type { Atlas } from "./atlas";

export interface Step {
  seat: number;
  /** The ticket that is revealed; null for the longest path. */
  ticket: string | null;
  cities: string[];
  routes: string[];
  isGood: boolean;
  points: number;
  /** Of the longest path, in spaces. */
  length: number;
}

/** Seats from the last to the first, as they come out; the smallest tickets first, the failed ones last. */
export function ceremony(ending: Ending, seats: SeatView[], atlas: Atlas): Step[] {
  const routesOf = (seat: number): RouteInfo[] =>
    (seats[seat]?.routes ?? []).flatMap((name) => atlas.routes.get(name) ?? []);
  const order = seats.map((_, seat) => seat).sort((a, b) => ending.totals[a]! - ending.totals[b]!);
  const steps = order.flatMap((seat) => {
    const tickets = new Set([...(seats[seat]?.completed ?? []), ...(ending.tickets[seat] ?? [])]);
    const shown = [...tickets].flatMap((name) => ticketStep(name, seat, atlas, routesOf(seat)));
    return shown.sort((a, b) => Number(b.isGood) - Number(a.isGood) || Math.abs(a.points) - Math.abs(b.points));
  });
  const term = ending.terms.indexOf("longest path");
  const holders = term < 0 ? [] : order.filter((seat) => (ending.points[seat]?.[term] ?? 0) > 0);
  return [...steps, ...holders.map((seat) => pathStep(seat, ending, atlas, ending.points[seat]?.[term] ?? 0))];
}

function ticketStep(name: string, seat: number, atlas: Atlas, own: RouteInfo[]): Step[] {
  const ticket = atlas.tickets.get(name);
  if (!ticket) return [];
  const routes = pathBetween(own, ticket.a, ticket.b);
  const isGood = routes.length > 0;
  const points = atlas.hasPoints ? (isGood ? ticket.points : -ticket.points) : 0;
  return [{ seat, ticket: name, cities: [ticket.a, ticket.b], routes, isGood, points, length: 0 }];
}

function pathStep(seat: number, ending: Ending, atlas: Atlas, points: number): Step {
  const routes = ending.longest[seat] ?? [];
  const length = routes.reduce((sum, name) => sum + (atlas.routes.get(name)?.length ?? 0), 0);
  return { seat, ticket: null, cities: [], routes, isGood: true, points, length };
}
