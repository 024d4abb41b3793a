/** The log in words: what each entry says to its reader. Only what the reader was told is in it. */
import { list, type TextName } from "../words";
import { current } from "../words/catalogue.svelte";
import type { Event, Told } from "../messages";
import { type EditionIndex, pilesOf } from "./editionIndex";
import { type Gap, type Part, phrase } from "./phrase";

export interface Line {
  /** The number of the entry. */
  n: number;
  /** Of the entry, with the place in it: lines are told apart by it. */
  key: string;
  tone: "move" | "note" | "chat" | "turning";
  seat: number | null;
  parts: Part[];
  at: number;
  /** Whether it was undone later. */
  isUndone: boolean;
}

/** Who reads it, and what things are called. */
export interface Reader {
  editionIndex: EditionIndex;
  you: number | null;
  names: string[];
  /** Whether nothing is hidden any more, as in a replay. */
  isOpen?: boolean;
}

/** Names of texts that exist for others, and with ".own" for the reader. */
type Told3rd = { [Name in TextName]: `${Name}.own` extends TextName ? Name : never }[TextName];

/** Texts that name what is hidden from others while a game is on. */
const OPEN = {
  "log.drew": "log.drewOpen",
  "log.offered": "log.offeredOpen",
  "log.kept": "log.keptOpen",
  "log.putBack": "log.putBackOpen",
  "log.received": "log.receivedOpen",
} as const satisfies Partial<Record<Told3rd, TextName>>;

/** Turns entries into lines. Lines stay the same objects as the log grows, so that only new ones are drawn. */
export class Teller {
  #lines = new Map<Told, Line[]>();
  #reader: Reader | null = null;
  #language = current.language;

  tellAll(entries: Told[], reader: Reader): Line[] {
    if (!this.#reader || !isSame(this.#reader, reader) || this.#language !== current.language) this.#lines.clear();
    this.#language = current.language;
    this.#reader = reader;
    const undone = takenBack(entries);
    let asker: number | null = null;
    return entries.flatMap((entry) => {
      if (entry.kind === "undo asked") asker = entry.seat ?? null;
      return this.#tell(entry, reader, undone.has(entry.n), asker);
    });
  }

  #tell(entry: Told, reader: Reader, isUndone: boolean, asker: number | null): Line[] {
    let lines = this.#lines.get(entry);
    if (!lines || lines.some((line) => line.isUndone !== isUndone)) {
      lines = tell(entry, reader, asker).map((line) => ({ ...line, isUndone }));
      this.#lines.set(entry, lines);
    }
    return lines;
  }
}

function isSame(a: Reader, b: Reader): boolean {
  return a.editionIndex === b.editionIndex && a.you === b.you && a.names.join("\n") === b.names.join("\n");
}

/** The numbers of entries that were undone. */
function takenBack(entries: Told[]): Set<number> {
  const standing: number[] = [];
  const undone = new Set<number>();
  for (const entry of entries) {
    if (entry.kind === "moved") standing.push(entry.n);
    if (entry.kind === "undone") for (const n of standing.splice(-(entry.move ?? 1))) undone.add(n);
  }
  return undone;
}

/** What one entry says; `asker` is the seat that last asked to undo. */
export function tell(entry: Told, reader: Reader, asker: number | null): Line[] {
  const told = entry.kind === "moved" || entry.kind === "started" ? fromEvents(entry, reader) : fromEntry(entry, reader, asker);
  return told.map((line, i) => ({ ...line, n: entry.n, key: `${entry.n}.${i}`, at: entry.at, isUndone: false }));
}

type Bare = Pick<Line, "tone" | "seat" | "parts">;

/** A sentence about a seat, in the words for the reader or for others. */
function about(reader: Reader, seat: number | null, name: Told3rd, gaps: Record<string, Gap> = {}): Part[] {
  if (seat === null) return phrase(name, gaps);
  const who: Part = { kind: "seat", seat, name: reader.names[seat] ?? "" };
  if (seat === reader.you) return phrase(`${name}.own` as TextName, gaps);
  return phrase(reader.isOpen && name in OPEN ? OPEN[name as keyof typeof OPEN] : name, { who, ...gaps });
}

/** A sentence about what one seat did for another, which may be the reader's. */
function between(reader: Reader, doer: number | null, other: number | null, name: Told3rd, forYou: TextName): Part[] {
  const part = (seat: number | null): Part => ({ kind: "seat", seat: seat ?? 0, name: reader.names[seat ?? -1] ?? "" });
  if (other !== null && other === reader.you) return phrase(forYou, { who: part(doer) });
  return about(reader, doer, name, { whom: part(other) });
}

function fromEntry(entry: Told, reader: Reader, asker: number | null): Bare[] {
  const seat = entry.seat ?? null;
  const note = (name: Told3rd, gaps: Record<string, Gap> = {}): Bare[] => [
    { tone: "note", seat, parts: about(reader, seat, name, gaps) },
  ];
  switch (entry.kind) {
    case "said":
      return [{ tone: "chat", seat, parts: [entry.text ?? ""] }];
    case "undone":
      return note("log.undone");
    case "undo asked":
      return note("log.undoAsked");
    case "undo answered":
      if (entry.move) return note("log.undoAgreed");
      return note(seat === asker ? "log.undoWithdrawn" : "log.undoRefused");
    case "joined":
      return note("log.joined");
    case "left":
      return note("log.left");
    case "returned":
      return note("log.returned");
    case "bot seated":
      if (entry.move == null) return note("log.botSeated");
      return [{ tone: "note", seat: entry.move, parts: between(reader, entry.move, seat, "log.botSeatedBy", "log.botSeatedForYou") }];
    case "invited":
      return [{ tone: "note", seat: entry.move ?? null, parts: between(reader, entry.move ?? null, seat, "log.invited", "log.invitedYou") }];
    case "device added":
      return (entry.move ?? 1) > 1 ? note("log.deviceAdded", { count: entry.move ?? 1 }) : note("log.deviceChanged");
    case "restored":
      return [{ tone: "turning", seat: null, parts: phrase("log.restored", { count: entry.move ?? 1 }) }];
    case "rematch":
      return note("log.rematch");
    default:
      return [];
  }
}

function fromEvents(entry: Told, reader: Reader): Bare[] {
  const events = entry.events ?? [];
  if (entry.kind === "started") return started(events, reader);
  return [...chosen(events, reader), ...gathered(events, reader), ...events.flatMap((event) => fromEvent(event, reader))];
}

function started(events: Event[], reader: Reader): Bare[] {
  const piles = reader.editionIndex.kinds
    .map((kind) => ({ kind, count: events.filter((e) => e.kind === "drew" && e.details["card"] === kind).length }))
    .filter((pile) => pile.count > 0);
  const lines: Bare[] = [{ tone: "note", seat: null, parts: phrase("log.started") }];
  if (piles.length) {
    const parts = phrase("log.dealt", { cards: { kind: "cards", piles } });
    lines.push({ tone: "move", seat: reader.you, parts });
  }
  return lines;
}

/** The last seat to choose has no line here, because what it kept is told at the same time. */
function chosen(events: Event[], reader: Reader): Bare[] {
  return events
    .filter(({ kind, seat }) => kind === "chose" && !events.some((e) => e.kind === "kept" && e.seat === seat))
    .map(({ seat }) => ({ tone: "move", seat, parts: about(reader, seat, "log.chose") }));
}

/** Tickets come several at a time: one line for each seat, with their names where they are known. */
function gathered(events: Event[], reader: Reader): Bare[] {
  const lines: Bare[] = [];
  const kinds = { offered: "log.offered", kept: "log.kept", returned: "log.putBack", received: "log.received" } as const;
  for (const [kind, name] of Object.entries(kinds)) {
    const found = events.filter((event) => event.kind === kind);
    for (const seat of new Set(found.map((event) => event.seat))) {
      const tickets = found.filter((event) => event.seat === seat).map((event) => event.details["ticket"]);
      const known = tickets.filter((ticket) => typeof ticket === "string");
      const places: Part = { kind: "place", text: known.map((ticket) => reader.editionIndex.ticket(ticket)).join(", ") };
      const parts = about(reader, seat, name, { count: tickets.length, tickets: places });
      lines.push({ tone: "move", seat, parts });
    }
  }
  return lines;
}

function fromEvent(event: Event, reader: Reader): Bare[] {
  const { seat, details } = event;
  const { editionIndex } = reader;
  const text = (name: string): string => String(details[name] ?? "");
  const place = (): Part => ({ kind: "place", text: editionIndex.ticket(text("ticket")) }) as const;
  const move = (name: Told3rd, gaps: Record<string, Gap> = {}): Bare[] => [
    { tone: "move", seat, parts: about(reader, seat, name, gaps) },
  ];
  switch (event.kind) {
    case "drew":
      if (typeof details["card"] !== "string") return move("log.drew");
      return move("log.drew", { cards: { kind: "cards", piles: [{ kind: details["card"], count: 1 }] } });
    case "took":
      return move("log.took", { cards: { kind: "cards", piles: [{ kind: text("card"), count: 1 }] } });
    case "claimed": {
      const length = editionIndex.routes.get(text("route"))?.length ?? 0;
      const locomotives = Number(details["locos"] ?? 0);
      const card = text("card");
      const piles = pilesOf(card === "loco" ? null : card, length - locomotives, locomotives);
      const gaps = { route: { kind: "place", text: editionIndex.route(text("route")) }, cards: { kind: "cards", piles } } as const;
      if (!editionIndex.hasPoints) return move("log.claimed", gaps);
      return move("log.claimedFor", { ...gaps, count: Number(details["points"] ?? 0) });
    }
    case "joined":
      return move("log.made", { ticket: place() });
    case "completed":
      return move("log.completed", { ticket: place() });
    case "coast to coast":
      return move("log.coastToCoast");
    case "swapped":
      return move("log.swapped", { count: Number(details["tickets"] ?? 0) });
    case "passed":
      return move("log.passed");
    case "wiped":
      return [{ tone: "note", seat: null, parts: phrase(editionIndex.variant("log.wiped")) }];
    case "reshuffled":
      return [{ tone: "note", seat: null, parts: phrase("log.reshuffled", { count: Number(details["cards"] ?? 0) }) }];
    case "last round":
      return [{ tone: "turning", seat, parts: about(reader, seat, "log.lastRound") }];
    case "ended":
      return [{ tone: "turning", seat: null, parts: winnersLine(details["winners"], reader) }];
    default:
      return [];
  }
}

function winnersLine(winners: unknown, reader: Reader): Part[] {
  const seats = Array.isArray(winners) ? (winners as number[]) : [];
  const [first] = seats;
  if (seats.length === 1 && first !== undefined) return about(reader, first, "log.won");
  return phrase("log.shared", { names: list(seats.map((seat) => reader.names[seat] ?? "")) });
}
