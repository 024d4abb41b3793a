/** Why a move is good for this player, in sentences about tickets, cards and the other players. */
import type { MoveInfo, RouteInfo, TicketWay } from "../messages";
import { list, t } from "../words";
import type { EditionIndex } from "./editionIndex";

/** What a player knows when asking for a hint. */
export interface Situation {
  editionIndex: EditionIndex;
  you: number;
  names: string[];
  hand: Record<string, number>;
  /** Tickets that are held and not completed. */
  open: string[];
  offer: string[];
  ways: Map<string, TicketWay>;
  owners: Map<string, number>;
  closed: Set<string>;
  row: (string | null)[];
  /** The pieces that the player has left. */
  pieces: number;
}

export interface Reasons {
  sentences: string[];
  /** The ticket whose way the board lights. */
  ticket: string | null;
}

/** A free route on the path of an open ticket, and how many of its cards are in hand. */
interface Need {
  route: RouteInfo;
  ticket: string;
  kind: string;
  held: number;
}

export function reasonsFor(now: Situation, move: MoveInfo): Reasons {
  switch (move.kind) {
    case "claim":
      return forClaim(now, now.editionIndex.routes.get(move.route ?? "")!);
    case "take":
      return forCard(now, move.colour ?? null);
    case "draw":
      return forDraw(now);
    case "keep":
      return forKeep(now, now.offer.filter((_, i) => ((move.mask ?? 0) >> i) & 1));
    case "tickets":
    case "swap":
      return { sentences: [stateOfTickets(now)], ticket: null };
    default:
      return { sentences: [], ticket: null };
  }
}

function forClaim(now: Situation, route: RouteInfo): Reasons {
  const { editionIndex } = now;
  const served = now.open.filter((ticket) => isOnWay(now.ways.get(ticket), route));
  const left = (ticket: string): number => now.ways.get(ticket)!.pieces! - route.length;
  const completed = served.filter((ticket) => left(ticket) <= 0);
  const sentences: string[] = [];
  if (completed.length) sentences.push(t("reason.completes", { count: completed.length, tickets: nameAll(now, completed) }));
  for (const ticket of served.filter((name) => !completed.includes(name))) {
    sentences.push(t("reason.onWay", { ticket: editionIndex.ticket(ticket), pieces: editionIndex.pieces(left(ticket)) }));
  }
  const rival = rivalAt(now, route);
  if (rival) sentences.push(t("reason.rival", rival));
  const gaps = { points: t("points", { count: route.points }), pieces: editionIndex.pieces(now.pieces - route.length) };
  const scores = served.length ? "reason.scores" : now.open.length ? "reason.onlyScores" : "reason.freeScores";
  if (editionIndex.hasPoints) sentences.push(t(scores, gaps));
  return { sentences, ticket: completed[0] ?? served[0] ?? null };
}

function forCard(now: Situation, colour: string | null): Reasons {
  const { editionIndex } = now;
  const need = needsOf(now).find(({ kind }) => colour === null || kind === colour);
  const sentences = colour === null ? [t(editionIndex.variant("reason.anyColour"))] : [];
  if (need) {
    const rival = rivalAt(now, need.route);
    sentences.push(
      t(rival ? "reason.collectRival" : "reason.collect", {
        kind: capital(editionIndex.card(need.kind)),
        held: need.held,
        length: need.route.length,
        route: editionIndex.between(need.route),
        ticket: editionIndex.ticket(need.ticket),
        name: rival?.name ?? "",
      }),
    );
  } else if (colour !== null) {
    sentences.push(t("reason.set", { cards: editionIndex.pile({ kind: colour, count: (now.hand[colour] ?? 0) + 1 }) }));
  }
  return { sentences, ticket: need?.ticket ?? null };
}

function forDraw(now: Situation): Reasons {
  const needs = needsOf(now);
  const isInRow = needs.some(({ kind }) => now.row.includes(kind));
  return {
    sentences: [...(needs.length && !isInRow ? [t("reason.notInRow")] : []), t(now.editionIndex.variant("reason.draw"))],
    ticket: null,
  };
}

function forKeep(now: Situation, kept: string[]): Reasons {
  const { editionIndex } = now;
  const ways = kept.map((ticket) => now.ways.get(ticket)).filter((way) => way?.pieces != null);
  const sentences = ways.map((way) =>
    t(editionIndex.hasPoints ? "reason.keep" : "reason.keepRace", {
      ticket: editionIndex.ticket(way!.ticket),
      points: t("points", { count: way!.points }),
      pieces: editionIndex.pieces(way!.pieces!),
    }),
  );
  const routes = ways.flatMap((way) => way!.routes);
  const shared = [...new Set(routes.filter((route, i) => routes.indexOf(route) !== i))];
  if (shared.length) sentences.push(t("reason.shared", { routes: list(shared.map((route) => editionIndex.route(route))) }));
  return { sentences, ticket: kept.length === 1 ? kept[0]! : null };
}

/** What the open tickets still need, and what there is. */
function stateOfTickets(now: Situation): string {
  const { editionIndex } = now;
  const pieces = editionIndex.pieces(now.pieces);
  if (!now.open.length) return t("reason.allMade", { pieces });
  const ways = now.open.map((ticket) => now.ways.get(ticket));
  if (ways.some((way) => way?.pieces == null)) return t("reason.cutOff", { pieces });
  const routes = new Set(ways.flatMap((way) => way!.routes));
  const needed = [...routes].reduce((sum, route) => sum + (editionIndex.routes.get(route)?.length ?? 0), 0);
  return t("reason.enough", { needed: editionIndex.pieces(needed), left: now.pieces });
}

/** Routes that open tickets still need cards for, those with the fewest missing cards first. */
function needsOf(now: Situation): Need[] {
  const found = new Map<string, Need>();
  for (const ticket of now.open) {
    for (const name of now.ways.get(ticket)?.routes ?? []) {
      const route = now.editionIndex.routes.get(name);
      for (const lane of route ? lanesOf(now, route) : []) {
        const kind = lane.colour === "grey" ? largestPile(now) : lane.colour;
        const held = now.hand[kind] ?? 0;
        if (held < lane.length && !found.has(lane.name)) found.set(lane.name, { route: lane, ticket, kind, held });
      }
    }
  }
  const missing = ({ route, held }: Need): number => route.length - held;
  return [...found.values()].sort((a, b) => missing(a) - missing(b) || b.route.length - a.route.length);
}

/** The lanes of a route that can still be claimed. */
function lanesOf(now: Situation, route: RouteInfo): RouteInfo[] {
  const twin = route.twin === null ? undefined : now.editionIndex.routes.get(route.twin);
  return [route, ...(twin ? [twin] : [])].filter(({ name }) => !now.owners.has(name) && !now.closed.has(name));
}

function largestPile({ editionIndex, hand }: Situation): string {
  return editionIndex.edition.colours.reduce((a, b) => ((hand[b] ?? 0) > (hand[a] ?? 0) ? b : a));
}

function isOnWay(way: TicketWay | undefined, route: RouteInfo): boolean {
  return way?.pieces != null && way.routes.some((name) => name === route.name || name === route.twin);
}

/** A player whose line stops at an end of the route, and who would close it by claiming it. */
function rivalAt(now: Situation, route: RouteInfo): { name: string; city: string } | null {
  if (lanesOf(now, route).length > 1) return null;
  for (const [seat, name] of now.names.entries()) {
    if (seat === now.you) continue;
    const theirs = [...now.owners].filter(([, owner]) => owner === seat).map(([owned]) => now.editionIndex.routes.get(owned));
    for (const city of [route.a, route.b]) {
      if (theirs.filter((owned) => owned?.a === city || owned?.b === city).length === 1) return { name, city: now.editionIndex.city(city) };
    }
  }
  return null;
}

function nameAll({ editionIndex }: Situation, tickets: string[]): string {
  return list(tickets.map((ticket) => editionIndex.ticket(ticket)));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
