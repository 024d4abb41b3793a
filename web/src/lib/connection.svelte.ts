/** A game over a socket. It reconnects, and resends commands that were not acknowledged; the server runs each once. */
import type { Ack, Command, GameInfo, OwnView, Refusal, Reply, SeatInfo, ServerMessage, TableView, Told, Welcome } from "./messages";
import { Refused } from "./refused";
import { newId } from "./insecureFallbacks";
import { PacedQueue } from "./queue";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
/** Milliseconds without a connection before the user is told. */
const UNNOTICED = 2_000;
/** Of this page, and of the server that it was built for. */
const VERSION = __VERSION__;
/** Codes after which trying again makes no sense. */
const FINAL = new Set<Refusal["code"]>(["bad_link", "unknown_game", "invitation", "wrong_host"]);

/** A command without its id, which the connection gives it. */
export type Wish = Command extends infer C ? (C extends Command ? Omit<C, "id"> : never) : never;

/** An update of the server: what has happened, and everything that is seen after it. */
type Update = { entries: Told[]; seats: SeatInfo[]; asked: number | null; view: TableView; own: OwnView | null };

interface Waiting {
  command: Command;
  resolve: (answer: Ack | Reply) => void;
  reject: (error: Refused) => void;
}

export type ConnectionState = "connecting" | "connected" | "reconnecting" | "refused" | "outdated";

export class Connection {
  state: ConnectionState = $state("connecting");
  /** Whether the connection is lost for longer than it takes a server to restart. */
  isAway = $state(false);
  /** Whether the server itself cannot be reached; if only its database is unavailable, the server says when it is back. */
  isCut = $state(true);
  refusal: Refused | null = $state.raw(null);
  game: GameInfo | null = $state.raw(null);
  you: number | null = $state(null);
  seats: SeatInfo[] = $state.raw([]);
  view: TableView | null = $state.raw(null);
  own: OwnView | null = $state.raw(null);
  asked: number | null = $state(null);
  last = -1;
  /** Whether what is told now is shown late, all at once. */
  isSkipping = false;

  #socket: WebSocket | null = null;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #away: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #waiting = new Map<string, Waiting>();
  /** Whether this socket was welcomed: then a second welcome means that the log is not the one told so far. */
  #isWelcome = false;
  /** Updates that have arrived and are not shown yet, because what came before them still is. */
  readonly #updates = new PacedQueue<Update>(
    (update) => this.#tell(update),
    ({ entries }, behind) => (document.hidden ? 0 : this.timeOf(entries, behind)),
  );

  /**
   * `onEntries` is called with what has just happened, after the views are up to date; not with what is read up later.
   * `onRestart` is called when the log has to be read again from its beginning.
   * `timeOf` returns for how many milliseconds entries are shown before what comes after them.
   */
  constructor(
    readonly link: string,
    readonly onEntries: (entries: Told[]) => void = () => {},
    readonly onRestart: () => void = () => {},
    readonly timeOf: (entries: Told[], behind: number) => number = () => 0,
  ) {
    this.#open();
    addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.retryNow);
    document.addEventListener("visibilitychange", this.skip);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#away);
    removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.retryNow);
    document.removeEventListener("visibilitychange", this.skip);
    this.#socket?.close();
    for (const waiting of this.#waiting.values()) waiting.reject(new Refused("offline"));
    this.#waiting.clear();
  }

  /** Show at once everything that has arrived. */
  skip = (): void => {
    this.isSkipping = true;
    this.#updates.flush();
    this.isSkipping = false;
  };

  /** Send a command; the promise resolves once it is stored, even if the connection breaks in between. */
  send(wish: Wish): Promise<Ack | Reply> {
    const command = { ...wish, id: newId() } as Command;
    return new Promise((resolve, reject) => {
      this.#waiting.set(command.id, { command, resolve, reject });
      if (this.state === "connected") this.#socket?.send(JSON.stringify(command));
    });
  }

  #open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    // The id of the game, which is not secret, is in the address for proxies that route a game to one process.
    const game = /^([\w-]{1,16})\./.exec(this.link)?.[1] ?? "";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket?game=${game}`);
    this.#socket = socket;
    this.#isWelcome = false;
    socket.onopen = () => {
      this.isCut = false;
      this.skip(); // the server sends what comes after the last entry that was shown
      socket.send(JSON.stringify({ type: "hello", link: this.link, last: this.last < 0 ? null : this.last }));
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data as string) as ServerMessage);
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry();
    };
  }

  #enter(state: "connecting" | "connected" | "reconnecting"): void {
    this.state = state;
    if (state === "connected") {
      clearTimeout(this.#away);
      this.#away = undefined;
      this.isAway = false;
    } else this.#away ??= setTimeout(() => (this.isAway = true), UNNOTICED);
  }

  #retry(): void {
    if (this.#isClosed || this.state === "refused" || this.state === "outdated") return;
    this.#enter(this.game ? "reconnecting" : "connecting");
    this.isCut = true;
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.5 + Math.random()));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** Do not wait any longer: neither before the next attempt, nor for one that gets no answer. */
  retryNow = (): void => {
    if (document.hidden || this.#isClosed || !this.isCut) return;
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT;
    const before = this.#socket;
    this.#open();
    before?.close();
  };

  #take(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        if (message.version !== VERSION) return this.#outdate();
        this.game = message.game;
        this.you = message.you;
        this.#welcome(message);
        this.#enter("connected");
        this.#wait = FIRST_WAIT;
        this.#sendAgain();
        break;
      case "update":
        this.#updates.push(message);
        break;
      case "ack":
      case "reply":
        this.#waiting.get(message.id)?.resolve(message);
        this.#waiting.delete(message.id);
        break;
      case "refused":
        this.#refuse(message);
        break;
      case "status":
        this.#enter(message.status);
        if (message.status === "connected") this.#sendAgain();
        break;
    }
  }

  #welcome(message: Welcome): void {
    const isAnother = message.last < this.last || this.#isWelcome;
    this.#isWelcome = true;
    if (isAnother) this.last = message.last; // its entries are not new, and earlier ones may have been replaced
    this.skip();
    this.#tell(message);
    this.last = message.last;
    if (isAnother) this.onRestart();
  }

  /** Resend all commands without an answer; the server runs each once. */
  #sendAgain(): void {
    for (const { command } of this.#waiting.values()) this.#socket?.send(JSON.stringify(command));
  }

  /** The protocol differs, because the page was loaded before the server was upgraded. */
  #outdate(): void {
    this.state = "outdated";
    this.#socket?.close();
  }

  #tell(update: Update): void {
    this.seats = update.seats;
    this.asked = update.asked;
    this.view = update.view;
    this.own = update.own;
    const fresh = update.entries.filter((entry) => entry.n > this.last);
    const newest = fresh.at(-1);
    if (!newest) return;
    this.last = newest.n;
    const rematch = fresh.findLast((entry) => entry.kind === "rematch");
    if (rematch && this.game) this.game = { ...this.game, rematch: rematch.text ?? null };
    this.onEntries(fresh);
  }

  #refuse(message: Refusal): void {
    const error = new Refused(message.code, message);
    const waiting = message.id ? this.#waiting.get(message.id) : undefined;
    if (waiting && message.id) {
      if (message.code === "unavailable") {
        setTimeout(() => {
          if (this.state === "connected" && this.#waiting.has(waiting.command.id)) this.#socket?.send(JSON.stringify(waiting.command));
        }, 1_000);
        return;
      }
      this.#waiting.delete(message.id);
      waiting.reject(error);
    } else if (FINAL.has(message.code)) {
      this.state = "refused";
      this.refusal = error;
    } else if (message.code === "malformed" && this.state !== "connected") this.#outdate();
  }
}
