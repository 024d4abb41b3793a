/**
 * Check after a game that every card and ticket came from the deal that was sealed before it.
 *
 * It is a check of chance, not of the rules: the record says what happened, and each card that was drawn must be the one that
 * the seed gives at that moment. What this browser was told during the game must be what the record says.
 */
import type { Event, Told } from "../messages";
import { bytesOf } from "./chance";
import { type DealtEdition, Decks } from "./deck";
import { type GameRecord, readRecord, type RecordEvent } from "./record";
import { sha256 } from "./sha256";

/** A difference between the game and its deal. */
export type Misfit =
  | { what: "seal" }
  | { what: "record"; reason: string }
  | { what: "first"; expected: number; found: number }
  | { what: "draw"; action: number; expected: string; found: string }
  | { what: "step"; action: number; found: string }
  | { what: "seen"; action: number; expected: string; found: string }
  | { what: "dealt"; expected: string; found: string };

/** How a check ended: how many draws were compared, or the first difference. */
export type Verdict = { draws: number; misfit: null } | { draws: number; misfit: Misfit };

export interface DealClaim {
  record: string;
  edition: DealtEdition;
  /** The hash of the seed that was shown before the game was over. */
  commitment: string;
  /** What this browser was told during the game; without gaps, or nothing. */
  told: Told[];
  /** The seat that it was shown to. */
  you: number | null;
}

/** Number of face-up locomotives at which the row is wiped. */
const WIPE_AT = 3;

/** A card or a ticket of the start. */
interface DealtItem {
  kind: string;
  seat: number | null;
  detail: string;
}

class Unfit extends Error {
  constructor(readonly misfit: Misfit) {
    super(misfit.what);
  }
}

/** Check a game. `onProgress` is called every few actions; the page can redraw in between. */
export async function verifyDeal(claim: DealClaim, onProgress: (done: number, total: number) => void = () => {}): Promise<Verdict> {
  let check: Check | null = null;
  try {
    const record = parse(claim.record);
    const seed = bytesOf(record.seed);
    if ((await sha256(seed)) !== claim.commitment) throw new Unfit({ what: "seal" });
    check = new Check(record, claim.edition, seed);
    const dealt = check.deal();
    const seen = new Seen(claim.told, claim.you);
    seen.compareDeal(dealt);
    for (const [i, action] of record.actions.entries()) {
      for (const event of action.events) check.follow(event, action.n);
      seen.compare(i, action.n, action.events);
      if (i % 20 === 19) {
        onProgress(i + 1, record.actions.length);
        await new Promise((done) => setTimeout(done));
      }
    }
    return { draws: check.draws, misfit: null };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { draws: check?.draws ?? 0, misfit: error.misfit };
  }
}

function parse(text: string): GameRecord {
  try {
    return readRecord(text);
  } catch (error) {
    throw new Unfit({ what: "record", reason: error instanceof Error ? error.message : String(error) });
  }
}

/** Follows a game with the decks of its seed. */
class Check {
  readonly #decks: Decks;
  readonly #lengths: Map<string, number>;
  readonly #row: (string | null)[];
  /** Tickets that were offered to each seat and not chosen yet, or received and not completed. */
  readonly #pending: string[][];
  #first: number | null;

  constructor(
    readonly record: GameRecord,
    readonly edition: DealtEdition,
    seed: Uint8Array,
  ) {
    this.#decks = new Decks(edition, record.seats, seed);
    this.#lengths = new Map(edition.routes.map((route) => [route.name, route.length]));
    this.#row = Array.from({ length: edition.face_up }, () => null);
    this.#pending = Array.from({ length: record.seats }, () => []);
    this.#first = record.first ?? this.#decks.first;
  }

  get draws(): number {
    return this.#decks.draws;
  }

  /** Deal, and return the events that any player may have seen. Records do not contain them. */
  deal(): DealtItem[] {
    const { rules } = this.edition;
    const dealt: DealtItem[] = [];
    for (const seat of this.#pending.keys()) {
      for (let i = 0; i < rules.opening_hand; i += 1) dealt.push({ kind: "drew", seat, detail: this.#decks.drawCard() ?? "" });
    }
    dealt.push(...this.#turnUp());
    const isRace = rules.ticket_flow === "swap";
    for (const [seat, pending] of this.#pending.entries()) {
      for (let i = 0; i < rules.deal; i += 1) {
        const ticket = this.#decks.drawTicket();
        if (ticket === null) continue;
        pending.push(ticket);
        dealt.push({ kind: isRace ? "received" : "offered", seat, detail: ticket });
      }
    }
    if (isRace) this.#begin(this.record.actions[0]?.seat ?? null);
    return dealt;
  }

  /** Turn up the first row. The record does not have it, so that a row is wiped (D-6, R-1, R-15) must be known here. */
  #turnUp(): DealtItem[] {
    const turned: DealtItem[] = [];
    for (;;) {
      for (const slot of this.#row.keys()) {
        if (this.#decks.size === 0) this.#decks.reshuffle();
        if (this.#row[slot] !== null || this.#decks.size === 0) continue;
        this.#row[slot] = this.#decks.drawCard();
        turned.push({ kind: "turned up", seat: null, detail: this.#row[slot] ?? "" });
      }
      if (!this.#isWiped()) return turned;
      this.#wipe();
    }
  }

  #isWiped(): boolean {
    const { size, discarded, locomotives } = this.#decks;
    const open = this.#row.filter((card) => card !== null);
    const faceUp = open.filter((card) => card === "loco").length;
    const onlySwaps = discarded === 0 && size === this.edition.face_up && locomotives.deck >= WIPE_AT;
    const others = size + discarded - locomotives.deck - locomotives.discards + open.length - faceUp;
    return faceUp >= WIPE_AT && !onlySwaps && others >= WIPE_AT;
  }

  #wipe(): void {
    for (const slot of this.#row.keys()) {
      const card = this.#row[slot];
      if (card != null) this.#decks.discard(card, 1);
      this.#row[slot] = null;
    }
  }

  /** Take in an event of the record. */
  follow(event: RecordEvent, action: number): void {
    const { kind, seat, details } = event;
    const fit = (isFit: boolean): void => {
      if (!isFit) throw new Unfit({ what: "step", action, found: event.text });
    };
    const same = (expected: string | null, found: string | undefined): void => {
      if (expected !== found) throw new Unfit({ what: "draw", action, expected: expected ?? "–", found: found ?? "–" });
    };
    const pending = this.#pending[seat ?? -1] ?? [];
    const slot = Number(details["slot"]);
    switch (kind) {
      case "turn began":
        this.#begin(seat);
        break;
      case "drew":
        same(this.#decks.drawCard(), details["card"]);
        break;
      case "turned up":
        fit(this.#row[slot] === null);
        this.#row[slot] = this.#decks.drawCard();
        same(this.#row[slot]!, details["card"]);
        break;
      case "took":
        fit(this.#row[slot] === details["card"]);
        this.#row[slot] = null;
        break;
      case "wiped":
        this.#wipe();
        break;
      case "reshuffled":
        fit(this.#decks.size === 0 && this.#decks.discarded === Number(details["cards"]));
        this.#decks.reshuffle();
        break;
      case "claimed":
        this.#pay(details);
        break;
      case "offered":
      case "received":
        same(this.#decks.drawTicket(), details["ticket"]);
        pending.push(details["ticket"] ?? "");
        break;
      case "kept":
      case "completed":
        fit(remove(pending, details["ticket"]));
        break;
      case "returned":
        fit(remove(pending, details["ticket"]));
        this.#decks.tickets.push(details["ticket"] ?? "");
        break;
      case "swapped":
        fit(pending.length === Number(details["tickets"]));
        this.#decks.tickets.push(...pending.splice(0));
        break;
    }
  }

  /** The first player is chosen by the seed, or by the game's creator. */
  #begin(seat: number | null): void {
    const expected = this.#first;
    this.#first = null;
    if (expected === null || seat === null || seat === expected) return;
    throw new Unfit({ what: "first", expected: expected + 1, found: seat + 1 });
  }

  #pay(details: Record<string, string>): void {
    const locomotives = Number(details["locos"]);
    const length = this.#lengths.get(details["route"] ?? "") ?? 0;
    if (locomotives > 0) this.#decks.discard("loco", locomotives);
    if (length > locomotives) this.#decks.discard(details["card"] ?? "", length - locomotives);
  }
}

function remove(items: string[], item: string | undefined): boolean {
  const place = items.indexOf(item ?? "");
  if (place >= 0) items.splice(place, 1);
  return place >= 0;
}

/** What this browser was told during the game. */
class Seen {
  readonly #started: Event[];
  /** The actions that were not undone, in order. */
  readonly #actions: Told[] = [];

  constructor(
    told: Told[],
    readonly you: number | null,
  ) {
    const isWhole = told.every((entry, i) => entry.n === i);
    this.#started = told.find((entry) => isWhole && entry.kind === "started")?.events ?? [];
    for (const entry of isWhole ? told : []) {
      if (entry.kind === "moved") this.#actions.push(entry);
      if (entry.kind === "undone") this.#actions.splice(-(entry.move ?? 1));
    }
  }

  /** Records do not contain the cards of the deal: those shown must be those of the seed. */
  compareDeal(dealt: DealtItem[]): void {
    const told = this.#started.filter(({ kind }) => ["drew", "turned up", "offered", "received"].includes(kind));
    if (!told.length) return;
    for (const [i, { kind, seat, detail }] of dealt.entries()) {
      const found = told[i]?.details["card"] ?? told[i]?.details["ticket"];
      if (told[i]?.kind !== kind || told[i].seat !== seat) throw new Unfit({ what: "dealt", expected: kind, found: told[i]?.kind ?? "–" });
      if (found != null && found !== detail) throw new Unfit({ what: "dealt", expected: detail, found: String(found) });
    }
  }

  /** Compare an action with what was told of it, as far as it was not hidden. */
  compare(index: number, action: number, events: RecordEvent[]): void {
    const told = this.#actions[index]?.events;
    if (!told) return;
    const known = events.filter((event) => event.kind !== "joined" || event.seat === this.you);
    for (let i = 0; i < Math.max(known.length, told.length); i += 1) {
      if (!isSame(told[i], known[i])) {
        throw new Unfit({ what: "seen", action, expected: written(told[i]), found: known[i]?.text ?? "–" });
      }
    }
  }
}

function isSame(told: Event | undefined, event: RecordEvent | undefined): boolean {
  if (!told || !event || told.kind !== event.kind || told.seat !== event.seat) return false;
  return Object.entries(told.details).every(([name, value]) => value === null || plain(value) === event.details[name]);
}

/** A detail as records have it. */
function plain(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
}

function written(event: Event | undefined): string {
  if (!event) return "–";
  const details = Object.entries(event.details).map(([name, value]) => ` ${name}=${value === null ? "?" : plain(value)}`);
  return event.kind + (event.seat === null ? "" : ` seat=${event.seat}`) + details.join("");
}
