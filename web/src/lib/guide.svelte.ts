/** The tour of a first game: a real game, with explanations of what can be done now. */
import { device } from "./device.svelte";
import type { TicketWay } from "./messages";
import type { TextName } from "./words";
import type { Table } from "./table/table.svelte";

const KEY = "goldenspike.guide";
/** What can always be tapped: the tour itself, which can be ended, and the menu. */
const ALWAYS = ".guide, dialog, [data-testid=menu]";

/** What a step is about: a part of the page, and the route that it is, if it is one. */
export interface Target {
  selector: string;
  route?: string;
}

interface GuideStep {
  text: TextName;
  /** Shown instead while cards are to be collected first. */
  collect?: TextName;
  /** Whether what the step is about has happened; a step without this waits for the Next button. */
  isDone?: (table: Table) => boolean;
  /** What it points at now, and what is to be tapped if it does not wait for the Next button; null while another player moves. */
  target: (table: Table) => Target | null;
}

const part = (testid: string, more = ""): Target => ({ selector: `[data-testid="${testid}"]${more}` });

/** The offered tickets that need the fewest trains, and then the button that keeps them. */
function ticketsToKeep(table: Table): Target | null {
  const offer = table.connection.own?.offer ?? [];
  if (!table.isChoosing || table.ways.size < offer.length) return null;
  const pieces = (name: string): number => table.ways.get(name)?.pieces ?? Infinity;
  const short = [...offer].sort((a, b) => pieces(a) - pieces(b)).slice(0, 2);
  const next = short.find((name) => !((table.mask >> offer.indexOf(name)) & 1));
  return next ? part("offer-ticket", `[data-ticket="${next}"]`) : part("keep");
}

/** The open ticket that is nearest to its completion. */
function goalOf(table: Table): TicketWay | null {
  const own = table.connection.own;
  const ways = (own?.tickets ?? []).filter((name) => !own?.joined.includes(name)).flatMap((name) => table.ways.get(name) ?? []);
  return ways.filter((way) => way.pieces !== null).sort((a, b) => a.pieces! - b.pieces!)[0] ?? null;
}

/** A face-up card that a route of the goal needs and that is already collected, or else the deck. */
function cardToTake(table: Table): Target | null {
  const { takes, draw } = table.choices;
  const hand = table.connection.own?.hand ?? {};
  const lanes = (goalOf(table)?.routes ?? []).flatMap((name) => table.editionIndex?.routes.get(name) ?? []);
  const isNeeded = (kind: string): boolean =>
    lanes.some(({ colour, length }) => (colour === kind || (colour === "grey" && (hand[kind] ?? 0) > 0)) && (hand[kind] ?? 0) < length);
  const needed = [...takes.keys()].filter((kind) => kind !== "loco" && isNeeded(kind));
  const kind = needed[0] ?? (draw === null ? takes.keys().next().value : undefined);
  if (kind !== undefined) return part("row-card", `[data-kind="${kind}"]`);
  return draw === null ? null : part("deck");
}

/** The next tap of a claim on the path of the goal; cards as long as none can be paid for. */
function claimOrCard(table: Table): Target | null {
  if (table.draft) return part("confirm-claim");
  const lanes = (goalOf(table)?.routes ?? []).flatMap((name) => [name, table.editionIndex?.routes.get(name)?.twin ?? name]);
  const route = lanes.find((name) => table.choices.claims.has(name));
  return route ? { selector: `[data-route="${route}"]`, route } : cardToTake(table);
}

const cardsTaken = (table: Table): number =>
  table.story.entries
    .filter((entry) => entry.kind === "moved" && entry.seat === table.connection.you)
    .flatMap((entry) => entry.events ?? [])
    .filter((event) => event.kind === "drew" || event.kind === "took").length;

const routesClaimed = (table: Table): number =>
  table.connection.view?.seats[table.connection.you ?? -1]?.routes.length ?? 0;

const hasCompleted = (table: Table): boolean => (table.connection.own?.joined.length ?? 0) > 0;

const ownCard = (table: Table): Target => part("player", `[data-seat="${table.connection.you}"]`);

const STEPS: GuideStep[] = [
  { text: "guide.choose", isDone: (table) => (table.connection.own?.tickets.length ?? 0) > 0, target: ticketsToKeep },
  { text: "guide.map", target: () => part("board") },
  { text: "guide.draw", isDone: (table) => cardsTaken(table) >= 2 || routesClaimed(table) > 0, target: cardToTake },
  { text: "guide.bots", target: () => part("players") }, // bots may finish before the text is read
  { text: "guide.claim", collect: "guide.collect", isDone: (table) => routesClaimed(table) > 0, target: claimOrCard },
  { text: "guide.points", target: ownCard },
  {
    text: "guide.complete",
    collect: "guide.collect",
    // A bot may have cut the ticket off; then there is nothing to complete.
    isDone: (table) => hasCompleted(table) || (table.ways.size > 0 && goalOf(table) === null),
    target: claimOrCard,
  },
  { text: "guide.end", target: () => part("players") },
  { text: "guide.done", target: () => part("hint") },
];

/** The game that the tour is about, on this device. */
let guided: string | null = device.recall(KEY, String, "sessionStorage");

export function startGuide(game: string | null): void {
  guided = game;
  device.keep(KEY, game, "sessionStorage");
}

export class Guide {
  #at = $state(0);
  #number = $state(1);
  isOpen = $state(true);

  readonly target: Target | null = $derived.by(() => {
    const isNow = this.canGoOn || (this.table.isYours && !this.table.isSending);
    return this.isOpen && isNow ? (STEPS[this.#at]?.target(this.table) ?? null) : null;
  });

  constructor(readonly table: Table) {
    $effect(() => {
      if (STEPS[this.#at]?.isDone?.(this.table)) this.#advance();
    });
  }

  /** Steps are numbered as they are shown: one that is done before it is reached is left out. */
  get number(): number {
    return this.#number;
  }

  get count(): number {
    return this.#number + STEPS.length - 1 - this.#at;
  }

  #advance(): void {
    this.#number += 1;
    do this.#at += 1;
    while (STEPS[this.#at]?.isDone?.(this.table));
  }

  get text(): TextName | null {
    const step = STEPS[this.#at];
    const isCollecting = this.target !== null && !this.target.route && !this.table.draft;
    return (isCollecting ? step?.collect : undefined) ?? step?.text ?? null;
  }

  get isLast(): boolean {
    return this.#at === STEPS.length - 1;
  }

  get canGoOn(): boolean {
    return STEPS[this.#at]?.isDone === undefined;
  }

  goOn(): void {
    if (this.isLast) this.close();
    else this.#advance();
  }

  /** Tell whether a click is one that the step does not ask for. */
  isElsewhere(clicked: Element): boolean {
    if (!this.isOpen || clicked.closest(ALWAYS)) return false;
    if (this.canGoOn) return true;
    if (this.target?.route && clicked.closest(".frame")) return false; // the table knows which route is meant
    return this.target === null || !clicked.closest(this.target.selector);
  }

  close(): void {
    this.isOpen = false;
    startGuide(null);
  }
}

export function isGuided(game: string): boolean {
  return guided === game;
}
