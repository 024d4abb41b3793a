/** A game as one person sits at it: what the server says of it, and what is being pointed at, chosen and asked. */
import { createContext, untrack } from "svelte";
import { api, Refused } from "../api";
import { pathBetween } from "../board/paths";
import { type Choices, sortMoves } from "../choices";
import { Connection, type Wish } from "../connection.svelte";
import { shelf } from "../shelf.svelte";
import { t } from "../words";
import type { Reply, RouteInfo, TicketWay, Told } from "../wire";
import { Atlas } from "./atlas";
import { type Draft, draftClaim, type Option, tapAgain } from "./claim";
import { describeMove } from "./describe";
import { type Line, tell, Teller } from "./lines";
import { type Part, spoken } from "./phrase";
import { Stage } from "./stage.svelte";
import { Story } from "./story.svelte";
import { turnSentence } from "./turn";
import { Voice } from "./voice.svelte";
import { settings } from "../settings.svelte";

/** A point of the page, for what is said there. */
export interface Point {
  x: number;
  y: number;
}

export interface Advice {
  move: number;
  parts: Part[];
  reasons: string[];
  chance: number | null;
}

/** Parts of the board that stand out while the rest is dimmed. */
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
  readonly stage = new Stage();
  readonly voice = new Voice();

  atlas: Atlas | null = $state.raw(null);
  /** Why the edition could not be read. */
  failure: Refused | null = $state.raw(null);
  /** The kind of card chosen in hand. */
  kind: string | null = $state(null);
  draft: Draft | null = $state.raw(null);
  /** The ticket that is pointed at. */
  ticket: string | null = $state(null);
  /** Which of the offered tickets are to be kept, a bit each. */
  mask = $state(0);
  ways: Map<string, TicketWay> = $state.raw(new Map());
  advice: Advice | null = $state.raw(null);
  isAsking = $state(false);
  /** Something said to this person only, near a point. */
  remark: { text: string; at: Point | null } | null = $state.raw(null);
  /** Whether a move is on its way. */
  isSending = $state(false);
  /** What the end shows on the board, step by step. */
  shown: Spotlight | null = $state.raw(null);
  #tapped = 0;
  readonly #teller = new Teller();

  readonly drawing = $derived.by(() => this.atlas ? this.atlas.edition.layout : null);
  readonly names = $derived.by(() => this.connection.seats.map((seat) => seat.name));
  readonly choices: Choices = $derived.by(
    () => this.atlas && this.connection.own ? sortMoves(this.atlas.edition, this.connection.own.legal) : NOTHING,
  );
  readonly isYours = $derived.by(
    () => this.connection.you !== null && (this.connection.view?.to_move.includes(this.connection.you) ?? false),
  );
  /** Whether a bot plays for whoever sits here. */
  readonly isStoodIn = $derived.by(
    () => this.connection.you !== null && this.connection.seats[this.connection.you]?.level != null,
  );
  readonly freeSeats = $derived.by(() => this.connection.seats.filter((seat) => seat.who === "free").length);
  readonly owners: Map<string, number> = $derived.by(
    () => new Map(this.connection.view?.seats.flatMap((seat, i) => seat.routes.map((route): [string, number] => [route, i]))),
  );
  readonly closed = $derived.by(() => new Set(this.connection.view?.closed));
  readonly lit: Set<string> = $derived.by(() => this.#findLit());
  readonly lines: Line[] = $derived.by(
    () => this.atlas ? this.#teller.tellAll(this.story.entries, { atlas: this.atlas, you: this.connection.you, names: this.names }) : [],
  );
  /** Cities of tickets that are not made yet. */
  readonly wanted: Set<string> = $derived.by(() => this.#citiesOf(this.#openTickets()));
  readonly spotlight: Spotlight | null = $derived.by(() => this.shown ?? this.#ofTicket());

  constructor(readonly link: string) {
    this.story = new Story(link);
    this.connection = new Connection(link, (entries) => this.#hear(entries));
    $effect(() => {
      const edition = this.connection.game?.edition;
      if (edition) void this.#readEdition(edition);
    });
    $effect(() => {
      if (this.connection.state === "connected") void this.story.readUp(this.connection.last);
    });
    const kept = $derived(this.#keptKey());
    $effect(() => {
      if (kept) untrack(() => this.#keep());
    });
    const needs = $derived(this.#waysKey());
    $effect(() => {
      if (needs) void this.#readWays();
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

  /** Point at a route: begin to claim it, go on with it, or be told why not. */
  async tapRoute(route: string, at: Point | null): Promise<void> {
    this.remark = null;
    const { draft } = this;
    if (draft?.options.some((option) => option.route === route)) {
      // A double click is one tap: nothing is confirmed that nobody has seen.
      if (performance.now() - this.#tapped < DOUBLE_CLICK) return;
      this.#tapped = performance.now();
      const next = tapAgain(draft, route);
      if (next) this.draft = next;
      else if (draft.chosen) await this.play(draft.chosen.move, at);
      return;
    }
    this.#tapped = performance.now();
    this.draft = this.atlas ? draftClaim(this.choices, this.atlas, route, this.kind) : null;
    if (!this.draft) {
      const move = this.atlas?.claimOf(route, this.connection.own?.hand ?? {}) ?? null;
      if (move !== null) await this.why(move, at);
    } else if (this.draft.chosen && !settings.confirms && this.atlas?.routes.get(route)?.colour !== "grey") {
      await this.play(this.draft.chosen.move, at);
    }
  }

  choose(option: Option): void {
    if (this.draft) this.draft = { ...this.draft, route: option.route, chosen: option };
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
    await this.#whyKind(this.atlas?.moveOf("swap") != null ? "swap" : "tickets", null, at);
  }

  /** Let go of everything that was begun but not done; tell whether there was anything. */
  cancel(): boolean {
    const was = [this.draft, this.kind, this.remark, this.advice, this.ticket].some((begun) => begun !== null);
    this.draft = this.kind = this.remark = this.advice = this.ticket = null;
    return was;
  }

  // Asking

  async why(move: number, at: Point | null): Promise<void> {
    if (this.connection.you === null) return this.say(t("table.youWatch"), at);
    try {
      const reply = (await this.connection.send({ type: "why", move })) as Reply;
      if (reply.reason) this.say(this.#reason(reply.reason, reply.rule ?? null), at);
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
      const info = move === null ? undefined : this.atlas?.edition.moves[move];
      if (!this.atlas || move === null || !info) return;
      const parts = describeMove(this.atlas, info, this.connection.own?.offer ?? []);
      this.advice = { move, parts, reasons: reply.reasons ?? [], chance: reply.win_chance ?? null };
      this.voice.say(spoken(parts, this.atlas));
    } catch (error) {
      this.#explain(error, null);
    } finally {
      this.isAsking = false;
    }
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

  say(text: string, at: Point | null): void {
    this.remark = { text, at };
    this.voice.say(text);
  }

  routesOf(seat: number): RouteInfo[] {
    const names = this.connection.view?.seats[seat]?.routes ?? [];
    return names.map((name) => this.atlas?.routes.get(name)).filter((route) => route !== undefined);
  }

  // Inside

  #hear(entries: Told[]): void {
    this.story.add(entries);
    this.stage.show(entries, this.connection.you);
    if (entries.some((entry) => entry.kind === "moved" || entry.kind === "undone")) this.#forget();
    if (!this.atlas) return;
    const reader = { atlas: this.atlas, you: this.connection.you, names: this.names };
    const asker = this.story.entries.findLast((entry) => entry.kind === "undo asked")?.seat ?? null;
    for (const line of entries.flatMap((entry) => tell(entry, reader, asker))) {
      const said = spoken(line.parts, this.atlas);
      this.voice.say(line.tone === "chat" ? t("table.said", { name: this.names[line.seat ?? 0] ?? "", text: said }) : said);
    }
    // What bots do is told a moment later anyway; people may take their time.
    const began = entries.flatMap((entry) => entry.events ?? []).some((event) => event.kind === "turn began");
    const mover = this.connection.seats[this.connection.view?.to_move[0] ?? -1];
    if (began && (this.isYours || mover?.level === null)) this.voice.say(turnSentence(this));
  }

  /** A move has been made: what was drafted or advised before it no longer counts. */
  #forget(): void {
    const { draft } = this;
    if (draft && !draft.options.every(({ move }) => this.connection.own?.legal.includes(move))) this.draft = null;
    this.advice = null;
    if (!this.connection.own?.offer.length) this.mask = 0;
    if (this.kind !== null && !this.connection.own?.hand[this.kind]) this.kind = null;
  }

  /** Say why something was refused, and return it; empty if the page is leaving. */
  #explain(error: unknown, at: Point | null): string {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "offline") return "";
    const sentence = this.#reason(error.message, error.rule);
    this.say(sentence, at);
    return sentence;
  }

  /** The server's sentence; where it speaks of seats by number, one with their names. */
  #reason(sentence: string, rule: string | null): string {
    const seat = this.connection.view?.to_move[0];
    return rule === "S-4" && seat !== undefined ? t("table.notYourTurn", { name: this.names[seat] ?? "" }) : sentence;
  }

  async #whyKind(kind: string, colour: string | null, at: Point): Promise<void> {
    const move = this.atlas?.moveOf(kind, colour) ?? null;
    if (move !== null) await this.why(move, at);
  }

  async #readEdition(id: string): Promise<void> {
    try {
      this.atlas = new Atlas(await api.edition(id));
    } catch (error) {
      this.failure = error instanceof Refused ? error : new Refused("unavailable", t("app.failed"));
    }
  }

  #waysKey(): string | null {
    const { game, own, you, view } = this.connection;
    if (!game?.aids || !own || you === null || !view || view.ending) return null;
    return [...own.tickets, "|", ...own.offer, "|", this.owners.size].join(" ");
  }

  async #readWays(): Promise<void> {
    try {
      const reply = (await this.connection.send({ type: "ways" })) as Reply;
      this.ways = new Map(reply.ways?.map((way) => [way.ticket, way]));
    } catch {
      // Without it tickets are still shown, only not how far they are.
    }
  }

  /** What is kept of a game, in one text: it is written only when that changes. */
  #keptKey(): string | null {
    const { game, you, view } = this.connection;
    return game && view ? JSON.stringify([game.game, you, this.names, view.ending !== null]) : null;
  }

  /** Keep the link, so that this device finds the game again. */
  #keep(): void {
    const { game, you, view } = this.connection;
    if (!game || !view) return;
    shelf.keep(game.game, {
      edition: game.edition,
      names: this.names,
      opened: Date.now(),
      isOver: view.ending !== null,
      ...(you === null ? { watch: this.link } : { links: { [you]: this.link } }),
    });
  }

  #findLit(): Set<string> {
    const { kind } = this;
    const lit = new Set<string>();
    for (const [route, payments] of this.choices.claims) {
      const colour = this.atlas?.routes.get(route)?.colour;
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
        const ticket = this.atlas?.tickets.get(name);
        return ticket ? [ticket.a, ticket.b] : [];
      }),
    );
  }

  /** The ticket that is pointed at: its cities, and how it is made or could be. */
  #ofTicket(): Spotlight | null {
    const ticket = this.ticket === null ? undefined : this.atlas?.tickets.get(this.ticket);
    if (!ticket || this.connection.you === null) return null;
    const planned = new Set(this.ways.get(ticket.name)?.routes);
    const own = this.routesOf(this.connection.you).map((route) => ({ ...route, length: 0 }));
    const free = [...planned].map((name) => this.atlas?.routes.get(name)).filter((route) => route !== undefined);
    const path = pathBetween([...own, ...free], ticket.a, ticket.b);
    return { cities: new Set([ticket.a, ticket.b]), routes: new Set([...path, ...planned]), planned };
  }
}

export const [useTable, provideTable] = createContext<Table>();
