/** What each ticket of a seat still needs, as of what the page shows. */
import { pathBetween } from "../board/paths";
import type { RouteInfo, TableView, TicketWay } from "../messages";
import type { EditionIndex } from "./editionIndex";

/** Return the shortest path that completes each ticket over own and open routes; no pieces if there is none. */
export function waysOf(tickets: string[], view: TableView, you: number, editionIndex: EditionIndex): Map<string, TicketWay> {
  const taken = new Set(view.seats.flatMap((seat) => seat.routes));
  const owned = new Set(view.seats[you]?.routes);
  const closed = new Set(view.closed);
  const left = view.seats[you]?.pieces ?? 0;
  const cost = ({ name, length }: RouteInfo): number => (owned.has(name) ? 0 : length);
  const isOpen = ({ name, length }: RouteInfo): boolean => owned.has(name) || (!taken.has(name) && !closed.has(name) && length <= left);
  const usable = editionIndex.edition.routes.filter(isOpen).map((route) => ({ ...route, length: cost(route) }));
  return new Map(
    tickets.flatMap((name) => {
      const ticket = editionIndex.tickets.get(name);
      if (!ticket) return [];
      const path = pathBetween(usable, ticket.a, ticket.b);
      const routes = path.filter((route) => !owned.has(route));
      const pieces = path.length ? routes.reduce((sum, route) => sum + editionIndex.routes.get(route)!.length, 0) : null;
      return [[name, { ticket: name, points: ticket.points, pieces, routes }]];
    }),
  );
}
