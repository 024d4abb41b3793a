/** A game as one player sees it: the server's state, and what the player is selecting and asking. */
import { createContext, untrack } from "svelte";
import { api } from "../api";
import { Refused, refusalText, sentenceOf } from "../refused";
import { pathBetween } from "../board/paths";
import { type Choices, sortMoves } from "../choices";
import { Connection, type Wish } from "../connection.svelte";
import { type KeptGame, savedGames } from "../savedGames.svelte";
import { t } from "../words";
import type { Ack, MoveInfo, Reply, RouteInfo, SeatInfo, TicketWay, Told } from "../messages";
import { EditionIndex } from "./editionIndex";
import { choose, type Draft, draftClaim, type Means, type Option, paymentOf, tapAgain, type Way } from "./claim";
import { describeMove } from "./describe";
import { claimedSince, lastTurns, type TurnEvents } from "./lastTurn";
import { type Line, tell, Teller } from "./logText";
import { type Part, spoken } from "./phrase";
import { Animations, shownFor } from "./animations.svelte";
import { type Reasons, reasonsFor } from "./reasons";
import { Story } from "./story.svelte";
import { turnSentence } from "./turn";
import { Announcements } from "./announcements.svelte";
import { waysOf } from "./ways";
import { settings } from "../settings.svelte";

/** A point of the page, where a message is shown. */
export interface Point {
  x: number;
  y: number;
}

export interface Advice {
  move: number;
  parts: Part[];
  /** Sentences about tickets, cards and the other players. */
  reasons: string[];
  /** Results of simulated games, for those who ask. */
  figures: string[];
  /** The ticket whose way the board lights. */
  ticket: string | null;
}

/** Parts of the board that are highlighted while the rest is dimmed. */
export interface Spotlight {
  cities: Set<string>;
  routes: Set<string>;
  /** Routes of it that are still to be claimed. */
  planned: Set<string>;
}

const DOUBLE_CLICK = 300;

const NOTHING: Choices = {
  claims: new Map(),
  takes: new Map(),
  draw: null,
  tickets: null,
  swap: null,
  pass: null,
  keeps: new Map(),
};

export class Table {
  readonly connection: Connection;
  readonly story: Story;
  readonly animations = new Animations();
  readonly announcements = new Announcements();

  editionIndex: EditionIndex | null = $state.raw(null);
  /** Why the edition could not be read. */
  failure: Refused | null = $state.raw(null);
  /** The kind of card chosen in hand. */
  kind: string | null = $state(null);
  draft: Draft | null = $state.raw(null);
  /** The ticket, and the city, that is hovered over or tapped. */
  ticket: string | null = $state(null);
  city: string | null = $state(null);
  /** Which of the offered tickets are to be kept, a bit each. */
  mask = $state(0);
  advice: Advice | null = $state.raw(null);
  isAsking = $state(false);
  /** A message to this player only, near a point. */
  remark: { text: string; at: Point | null } | null = $state.raw(null);
  /** Whether a move was sent and not answered yet. */
  isSending = $state(false);
  /** What the end shows on the board, step by step. */
  shown: Spotlight | null = $state.raw(null);
  /** All seats' points as counted so far at the end. */
  totals: number[] | null = $state.raw(null);
  /** Whether the tour asks for a tap, and the only route that can be tapped then. */
  isGuided = $state(false);
  guidedRoute: string | null = $state(null);
  #tapped = 0;
  /** Seats for which an invitation is being made here. */
  readonly #inviting = new Set<number>();
  readonly #teller = new Teller();

  readonly drawing = $derived.by(() => this.editionIndex ? this.editionIndex.edition.layout : null);
  readonly names = $derived.by(() => this.connection.seats.map((seat) => seat.name));
  readonly colours = $derived.by(() => this.connection.seats.map((seat) => seat.colour));
  readonly choices: Choices = $derived.by(
    () => this.editionIndex && this.connection.own ? sortMoves(this.editionIndex.edition, this.connection.own.legal) : NOTHING,
  );
  readonly isYours = $derived.by(
    () => this.connection.you !== null && (this.connection.view?.to_move.includes(this.connection.you) ?? false),
  );
  /** Whether tickets are to be chosen here now. */
  readonly isChoosing = $derived.by(() => (this.connection.own?.offer.length ?? 0) > 0 && this.choices.keeps.size > 0);
  /** Whether a bot has taken over this seat. */
  readonly isStoodIn = $derived.by(
    () => this.connection.you !== null && this.connection.seats[this.connection.you]?.level != null,
  );
  /** The seats whose player has not joined. Until all have, cards stay hidden. */
  readonly missing: SeatInfo[] = $derived.by(() =>
    this.connection.view?.ending ? [] : this.connection.seats.filter((seat) => seat.who === "free" || seat.who === "invited"),
  );
  readonly isWaiting = $derived.by(() => this.missing.length > 0);
  /** Whether this seat may invite. */
  readonly isHost = $derived.by(() => this.connection.you !== null && this.connection.game?.host === this.connection.you);
  readonly owners: Map<string, number> = $derived.by(
    () => new Map(this.connection.view?.seats.flatMap((seat, i) => seat.routes.map((route): [string, number] => [route, i]))),
  );
  readonly closed = $derived.by(() => new Set(this.connection.view?.closed));
  readonly lit: Set<string> = $derived.by(() => this.#findLit());
  /** The lit routes that matter most: on the path of an open ticket, or payable with the chosen colour. */
  readonly strong: Set<string> = $derived.by(() => {
    const open = new Set(this.#openTickets());
    const wanted = new Set([...this.ways.values()].filter((way) => open.has(way.ticket)).flatMap((way) => way.routes));
    return new Set([...this.lit].filter((route) => this.kind !== null || wanted.has(route)));
  });
  readonly lines: Line[] = $derived.by(
    () => this.editionIndex ? this.#teller.tellAll(this.story.entries, { editionIndex: this.editionIndex, you: this.connection.you, names: this.names }) : [],
  );
  /** What each seat did in its last turn, and what other seats have claimed since the reader's last move. */
  readonly lastTurns: TurnEvents[] = $derived.by(() => lastTurns(this.story.entries, this.names.length));
  readonly fresh: Set<string> = $derived.by(() => claimedSince(this.story.entries, this.connection.you));
  /** What each ticket still needs, if this game allows such aids. */
  readonly ways: Map<string, TicketWay> = $derived.by(() => {
    const { game, own, you, view } = this.connection;
    if (!this.editionIndex || !game?.aids || !own || you === null || !view || view.ending || this.isWaiting) return new Map();
    return waysOf([...own.tickets, ...own.offer], view, you, this.editionIndex);
  });
  /** Cities of tickets that are not completed yet. */
  readonly wanted: Set<string> = $derived.by(() => this.#citiesOf(this.#openTickets()));
  /** The reader's tickets that lead to the city that is pointed at. */
  readonly cityTickets: Set<string> = $derived.by(() => this.#ticketsOf(this.city));
  readonly spotlight: Spotlight | null = $derived.by(() => this.shown ?? this.#ofTickets());

  constructor(readonly link: string) {
    this.story = new Story(link);
    this.connection = new Connection(
      link,
      (entries) => this.#hear(entries),
      () => void this.story.restart(this.connection.last),
      shownFor,
    );
    $effect(() => {
      const edition = this.connection.game?.edition;
      if (edition) void this.#readEdition(edition);
    });
    $effect(() => {
      if (this.connection.state === "connected") void this.story.readUp(this.connection.last);
    });
    // The deal was told without the cards, which are known now.
    let wasWaiting = false;
    $effect(() => {
      if (wasWaiting && !this.isWaiting) untrack(() => void this.story.restart(this.connection.last));
      wasWaiting = this.isWaiting;
    });
    const kept = $derived(this.#keptKey());
    $effect(() => {
      if (kept) untrack(() => this.#keep());
    });
  }

  close(): void {
    this.connection.close();
  }

  // Playing

  /** Play a move; return the sentence with which it was refused, empty if there is none to say, or null. */
  async play(move: number | string, at: Point | null = null): Promise<string | null> {
    if (this.isSending) return "";
    this.isSending = true;
    this.remark = null; // the message before it is outdated
    try {
      await this.connection.send({ type: "play", move });
      this.#forget();
      return null;
    } catch (error) {
      return this.#explain(error, at);
    } finally {
      this.isSending = false;
    }
  }

  /** Tap a route: start or continue to claim it, or say why it cannot be claimed. */
  async tapRoute(route: string, at: Point | null): Promise<void> {
    if (this.isGuided && route !== this.guidedRoute) return;
    this.remark = this.city = null;
    const { draft } = this;
    if (draft?.ways.some((way) => way.route === route)) {
      // A double click is one tap, so that it does not confirm what the player has not seen.
      if (performance.now() - this.#tapped < DOUBLE_CLICK) return;
      this.#tapped = performance.now();
      const next = tapAgain(draft, route, this.#means());
      if (next) this.#prepare(next);
      else await this.play(draft.chosen.move, at);
      return;
    }
    this.#tapped = performance.now();
    this.draft = this.editionIndex ? draftClaim(this.choices, this.editionIndex, route, this.#means(), at) : null;
    if (!this.draft) {
      const move = this.editionIndex?.claimOf(route, this.connection.own?.hand ?? {}) ?? null;
      if (move !== null) await this.why(move, at);
    } else if (!settings.confirms && this.editionIndex?.routes.get(route)?.colour !== "grey") {
      await this.play(this.draft.chosen.move, at);
    } else this.#prepare(this.draft);
  }

  /** Pay for the drafted claim with another colour. */
  payWith(way: Way): void {
    if (this.draft) this.#prepare(choose(this.draft, way));
  }

  /** Pay for the drafted claim with another number of locomotives. */
  pay(option: Option): void {
    if (this.draft) this.#prepare({ ...this.draft, chosen: option });
  }

  /** Show a draft, and say what would be paid. */
  #prepare(draft: Draft): void {
    this.draft = draft;
    const { editionIndex } = this;
    if (editionIndex) this.announcements.say(t("claim.spoken", { route: editionIndex.route(draft.route), cards: paymentOf(editionIndex, draft) }));
  }

  #means(): Means {
    return { hand: this.connection.own?.hand ?? {}, kind: this.kind };
  }

  async tapCard(kind: string, at: Point): Promise<void> {
    const move = this.choices.takes.get(kind) ?? null;
    if (move !== null) await this.play(move, at);
    else await this.#whyKind("take", kind === "loco" ? null : kind, at);
  }

  async tapDeck(at: Point): Promise<void> {
    if (this.choices.draw !== null) await this.play(this.choices.draw, at);
    else await this.#whyKind("draw", null, at);
  }

  /** Tell why tickets cannot be drawn or swapped. */
  async whyTickets(at: Point): Promise<void> {
    await this.#whyKind(this.editionIndex?.moveOf("swap") != null ? "swap" : "tickets", null, at);
  }

  /** Cancel everything that was started but not played; tell whether there was anything. */
  cancel(): boolean {
    const was = [this.draft, this.kind, this.remark, this.advice, this.ticket, this.city].some((begun) => begun !== null);
    this.draft = this.kind = this.remark = this.advice = this.ticket = this.city = null;
    return was;
  }

  // Asking

  async why(move: number, at: Point | null): Promise<void> {
    if (this.connection.you === null) return this.say(t("table.youWatch"), at);
    try {
      const reply = (await this.connection.send({ type: "why", move })) as Reply;
      if (reply.reason) this.say(refusalText(reply.reason, reply, this), at);
    } catch (error) {
      this.#explain(error, at);
    }
  }

  async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const reply = (await this.connection.send({ type: "hint" })) as Reply;
      const move = reply.hint_move ?? null;
      const info = move === null ? undefined : this.editionIndex?.edition.moves[move];
      if (!this.editionIndex || move === null || !info) return;
      const parts = describeMove(this.editionIndex, info, this.connection.own?.offer ?? []);
      const { sentences, ticket } = this.#reasonsFor(info);
      // Without a chance to win, the server says that it was a guess or the only legal move.
      const figures = reply.win_chance == null ? [] : (reply.reasons ?? []);
      const reasons = figures.length ? sentences : [...sentences, ...(reply.reasons ?? [])];
      this.advice = { move, parts, reasons, figures, ticket };
      this.announcements.say([spoken(parts, this.editionIndex), ...reasons].join(" "));
    } catch (error) {
      this.#explain(error, null);
    } finally {
      this.isAsking = false;
    }
  }

  #reasonsFor(move: MoveInfo): Reasons {
    const { you, own, view } = this.connection;
    if (!this.editionIndex || you === null || !own || !view) return { sentences: [], ticket: null };
    const open = own.tickets.filter((ticket) => !own.joined.includes(ticket));
    const { editionIndex, names, ways, owners, closed } = this;
    const pieces = view.seats[you]?.pieces ?? 0;
    return reasonsFor({ editionIndex, you, names, hand: own.hand, open, offer: own.offer, ways, owners, closed, row: view.row, pieces }, move);
  }

  /** Send a command whose refusal is shown as it is. */
  async tell(wish: Wish): Promise<boolean> {
    try {
      await this.connection.send(wish);
      return true;
    } catch (error) {
      this.#explain(error, null);
      return false;
    }
  }

  /** Make a new invitation for a seat, and keep it; null if it was refused. */
  async invite(seat: number): Promise<string | null> {
    this.#inviting.add(seat);
    try {
      const { invitation } = (await this.connection.send({ type: "invite", seat })) as Ack;
      if (invitation) this.#keepInvite(seat, invitation);
      return invitation;
    } catch (error) {
      this.#explain(error, null);
      return null;
    } finally {
      this.#inviting.delete(seat);
    }
  }

  #keepInvite(seat: number, invitation: string | null): void {
    const game = this.connection.game?.game;
    const invites = { ...(game ? savedGames.find(game)?.invites : {}) };
    if (invitation) invites[seat] = invitation;
    else delete invites[seat];
    if (game) savedGames.keep(game, { invites });
  }

  say(text: string, at: Point | null): void {
    this.remark = { text, at };
    this.announcements.say(text);
  }

  routesOf(seat: number): RouteInfo[] {
    const names = this.connection.view?.seats[seat]?.routes ?? [];
    return names.map((name) => this.editionIndex?.routes.get(name)).filter((route) => route !== undefined);
  }

  // Inside

  #hear(entries: Told[]): void {
    this.story.add(entries);
    this.animations.show(entries, this.connection.you, this.connection.isSkipping || document.hidden);
    for (const { kind, seat } of entries) {
      // Made on another device of the host, so the one stored here is no longer valid.
      if (kind === "invited" && this.isHost && seat != null && !this.#inviting.has(seat)) this.#keepInvite(seat, null);
    }
    if (entries.some((entry) => entry.kind === "moved" || entry.kind === "undone")) this.#forget();
    if (!this.editionIndex) return;
    const reader = { editionIndex: this.editionIndex, you: this.connection.you, names: this.names };
    const asker = this.story.entries.findLast((entry) => entry.kind === "undo asked")?.seat ?? null;
    for (const line of entries.flatMap((entry) => tell(entry, reader, asker))) {
      const said = spoken(line.parts, this.editionIndex);
      this.announcements.say(line.tone === "chat" ? t("table.said", { name: this.names[line.seat ?? 0] ?? "", text: said }) : said);
    }
    // A bot moves a moment later, so only the turns of people are announced.
    const began = entries.flatMap((entry) => entry.events ?? []).some((event) => event.kind === "turn began");
    const mover = this.connection.seats[this.connection.view?.to_move[0] ?? -1];
    if (began && (this.isYours || mover?.level === null)) this.announcements.say(turnSentence(this));
  }

  /** A move has been made: what was drafted or advised before it no longer counts. */
  #forget(): void {
    const { draft } = this;
    const moves = draft?.ways.flatMap((way) => way.options.map(({ move }) => move)) ?? [];
    if (!moves.every((move) => this.connection.own?.legal.includes(move))) this.draft = null;
    this.advice = null;
    if (!this.connection.own?.offer.length) this.mask = 0;
    if (this.kind !== null && !this.connection.own?.hand[this.kind]) this.kind = null;
  }

  /** Say why something was refused, and return it; empty if the page is leaving. */
  #explain(error: unknown, at: Point | null): string {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "offline") return "";
    const sentence = sentenceOf(error, this);
    this.say(sentence, at);
    return sentence;
  }

  async #whyKind(kind: string, colour: string | null, at: Point): Promise<void> {
    const move = this.editionIndex?.moveOf(kind, colour) ?? null;
    if (move !== null) await this.why(move, at);
  }

  async #readEdition(id: string): Promise<void> {
    try {
      this.editionIndex = new EditionIndex(await api.edition(id));
    } catch (error) {
      this.failure = error instanceof Refused ? error : new Refused("failed");
    }
  }

  /** What is kept of a game, in one text: it is written only when that changes. */
  #keptKey(): string | null {
    const { game, you, view } = this.connection;
    return game && view ? JSON.stringify([game.game, you, this.names, view.ending !== null, this.#standing()]) : null;
  }

  /** The score, and the people who have to move, for the list of games on the start page. */
  #standing(): Pick<KeptGame, "points" | "toMove"> {
    const { view, seats } = this.connection;
    if (!view) return {};
    const points = this.editionIndex?.hasPoints ? (view.ending?.totals ?? view.seats.map((seat) => seat.points)) : undefined;
    return { points, toMove: view.to_move.filter((seat) => seats[seat]?.level === null) };
  }

  /** Keep the link, so that this device finds the game again. */
  #keep(): void {
    const { game, you, view } = this.connection;
    if (!game || !view) return;
    savedGames.keep(game.game, {
      edition: game.edition,
      names: this.names,
      ...this.#standing(),
      opened: Date.now(),
      isOver: view.ending !== null,
      // What is seen first counts, and only before the seed is known.
      ...(view.ending || savedGames.find(game.game)?.commitment ? {} : { commitment: game.commitment }),
      ...(you === null ? { watch: this.link } : { links: { [you]: this.link } }),
    });
  }

  #findLit(): Set<string> {
    const { kind } = this;
    const lit = new Set<string>();
    for (const [route, payments] of this.choices.claims) {
      const colour = this.editionIndex?.routes.get(route)?.colour;
      const isMeant =
        kind === null ||
        colour === kind ||
        (kind === "loco" ? payments.some((p) => p.locomotives > 0) : colour === "grey" && payments.some((p) => p.colour === kind));
      if (isMeant) lit.add(route);
    }
    return lit;
  }

  #openTickets(): string[] {
    const own = this.connection.own;
    if (!own || this.connection.view?.ending) return [];
    return [...own.tickets.filter((ticket) => !own.joined.includes(ticket)), ...own.offer];
  }

  #citiesOf(tickets: string[]): Set<string> {
    return new Set(
      tickets.flatMap((name) => {
        const ticket = this.editionIndex?.tickets.get(name);
        return ticket ? [ticket.a, ticket.b] : [];
      }),
    );
  }

  /** Return how much of a ticket's way is built, from 0 to 1; null if it cannot be built or that is not known. */
  progressOf(name: string): number | null {
    const ticket = this.editionIndex?.tickets.get(name);
    const way = this.ways.get(name);
    if (!ticket || this.connection.you === null || way?.pieces == null) return null;
    const own = this.routesOf(this.connection.you);
    const free = way.routes.map((route) => this.editionIndex?.routes.get(route)).filter((route) => route !== undefined);
    const path = new Set(pathBetween([...own.map((route) => ({ ...route, length: 0 })), ...free], ticket.a, ticket.b));
    const built = own.filter((route) => path.has(route.name)).reduce((sum, route) => sum + route.length, 0);
    return built / Math.max(1, built + way.pieces);
  }

  #ticketsOf(city: string | null): Set<string> {
    const held = [...(this.connection.own?.tickets ?? []), ...(this.connection.own?.offer ?? [])];
    const leadsThere = (name: string): boolean => {
      const ticket = this.editionIndex?.tickets.get(name);
      return city !== null && (ticket?.a === city || ticket?.b === city);
    };
    return new Set(held.filter(leadsThere));
  }

  /** The selected ticket, the one that a hint is about, or those of a city: their cities, and the paths that complete them or could. */
  #ofTickets(): Spotlight | null {
    const selected = this.ticket ?? this.advice?.ticket ?? null;
    const names = selected !== null ? [selected] : this.draft ? [] : [...this.cityTickets];
    const tickets = names.map((name) => this.editionIndex?.tickets.get(name)).filter((ticket) => ticket !== undefined);
    if (!tickets.length || this.connection.you === null) return null;
    const own = this.routesOf(this.connection.you).map((route) => ({ ...route, length: 0 }));
    const [cities, routes, planned] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const { name, a, b } of tickets) {
      const free = (this.ways.get(name)?.routes ?? []).map((route) => this.editionIndex?.routes.get(route)).filter((route) => route !== undefined);
      for (const city of [a, b]) cities.add(city);
      for (const route of free) planned.add(route.name);
      for (const route of [...pathBetween([...own, ...free], a, b), ...planned]) routes.add(route);
    }
    return { cities, routes, planned };
  }
}

export const [useTable, provideTable] = createContext<Table>();
