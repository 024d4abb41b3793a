/** An edition to look things up in: by name, and what they are called. */
import { cityName, hasText, list, named, t, type TextName } from "../words";
import type { CityInfo, EditionInfo, MoveInfo, RouteInfo, TicketInfo } from "../messages";

/** A number of cards of one kind. */
export interface Pile {
  kind: string;
  count: number;
}

export class EditionIndex {
  readonly routes: Map<string, RouteInfo>;
  readonly cities: Map<string, CityInfo>;
  readonly tickets: Map<string, TicketInfo>;
  /** Kinds of cards in the order in which a hand is sorted. */
  readonly kinds: string[];
  /** Whether routes are worth points; where not, the game is a race. */
  readonly hasPoints: boolean;
  /** Whether it is played with taxis instead of trains. */
  readonly isTaxi: boolean;
  readonly #claims = new Map<string, [number, MoveInfo][]>();

  constructor(readonly edition: EditionInfo) {
    this.routes = new Map(edition.routes.map((route) => [route.name, route]));
    this.cities = new Map(edition.cities.map((city) => [city.code, city]));
    this.tickets = new Map(edition.tickets.map((ticket) => [ticket.name, ticket]));
    this.kinds = [...edition.colours, "loco"];
    this.isTaxi = edition.piece_word === "taxi";
    this.hasPoints = edition.route_points.length > 0;
    for (const [number, move] of Object.entries(edition.moves)) {
      if (move.kind !== "claim" || !move.route) continue;
      const claims = this.#claims.get(move.route) ?? [];
      claims.push([Number(number), move]);
      this.#claims.set(move.route, claims);
    }
  }

  city(code: string): string {
    return cityName(this.cities.get(code)?.name ?? code);
  }

  /** Names of cities that differ from those of the data in the reader's language, by code. */
  get localNames(): Map<string, string> {
    const names = this.edition.cities.map(({ code, name }) => [code, cityName(name), name] as const);
    return new Map(names.filter(([, local, name]) => local !== name).map(([code, local]) => [code, local]));
  }

  /** Two cities as one place: of a route or a ticket. */
  between(ends: { a: string; b: string }): string {
    return t("table.between", { a: this.city(ends.a), b: this.city(ends.b) });
  }

  route(name: string): string {
    const route = this.routes.get(name);
    return route ? this.between(route) : name;
  }

  ticket(name: string): string {
    const ticket = this.tickets.get(name);
    return ticket ? this.between(ticket) : name;
  }

  card(kind: string): string {
    return kind === "loco" && this.edition.locomotive_word === "taxi" ? t("card.taxi") : named("colour", kind);
  }

  pile({ kind, count }: Pile): string {
    return t(`pile.${kind === "loco" && this.edition.locomotive_word === "taxi" ? "taxi" : kind}` as TextName, { count });
  }

  /** Several piles in words. */
  piles(piles: Pile[]): string {
    return list(piles.map((pile) => this.pile(pile)));
  }

  pieces(count: number): string {
    return t(this.edition.piece_word === "taxi" ? "pieces.taxi" : "pieces.train", { count });
  }

  /** The name of a text in the words of this edition: some differ where it is played with taxis. */
  variant(name: TextName): TextName {
    return this.isTaxi && hasText(`${name}.taxi`) ? (`${name}.taxi` as TextName) : name;
  }

  /** A move to ask about when a route is pointed at that cannot be claimed: the payment nearest to the hand. */
  claimOf(route: string, hand: Record<string, number>): number | null {
    const claims = this.#claims.get(route) ?? [];
    const held = ([, move]: [number, MoveInfo]): number =>
      (move.locomotives ?? 0) > 0 ? -1 : Math.min(hand[move.colour ?? ""] ?? 0, move.cards ?? 0);
    const best = claims.reduce((a, b) => (held(b) > held(a) ? b : a), claims[0] ?? [-1, { kind: "claim" }]);
    return best[0] < 0 ? null : best[0];
  }

  /** The number of the first move of a kind, whether it is legal or not. */
  moveOf(kind: string, colour: string | null = null): number | null {
    const found = Object.entries(this.edition.moves).find(
      ([, move]) => move.kind === kind && (kind !== "take" || (move.colour ?? null) === colour),
    );
    return found ? Number(found[0]) : null;
  }
}

/** What is paid, as piles. */
export function pilesOf(colour: string | null, cards: number, locomotives: number): Pile[] {
  return [
    { kind: colour ?? "loco", count: colour ? cards : 0 },
    { kind: "loco", count: locomotives },
  ].filter((pile) => pile.count > 0);
}
