/** A game over a socket. It comes back by itself, and sends again what was not acknowledged; the server does nothing twice. */
import type { Ack, Command, GameInfo, OwnView, Refusal, Reply, SeatInfo, ServerMessage, TableView, Told } from "./wire";
import { Refused } from "./api";
import { newId } from "./plain";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
/** Of this page, and of the server that it was built for. */
const VERSION = __VERSION__;
/** Codes after which trying again makes no sense. */
const FINAL = new Set<Refusal["code"]>(["bad_link", "unknown_game"]);

/** A command without its id, which the connection gives it. */
export type Wish = Command extends infer C ? (C extends Command ? Omit<C, "id"> : never) : never;

interface Waiting {
  command: Command;
  resolve: (answer: Ack | Reply) => void;
  reject: (error: Refused) => void;
}

export type ConnectionState = "connecting" | "connected" | "reconnecting" | "refused" | "outdated";

export class Connection {
  state: ConnectionState = $state("connecting");
  /** Whether the server itself cannot be reached; if only its database is away, it says by itself when that is back. */
  isCut = $state(true);
  refusal: Refused | null = $state.raw(null);
  game: GameInfo | null = $state.raw(null);
  you: number | null = $state(null);
  seats: SeatInfo[] = $state.raw([]);
  view: TableView | null = $state.raw(null);
  own: OwnView | null = $state.raw(null);
  asked: number | null = $state(null);
  last = -1;

  #socket: WebSocket | null = null;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #waiting = new Map<string, Waiting>();

  /** `onEntries` is called with what has just happened, after the views are up to date; not with what is read up later. */
  constructor(
    readonly link: string,
    readonly onEntries: (entries: Told[]) => void = () => {},
  ) {
    this.#open();
    addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.retryNow);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.retryNow);
    this.#socket?.close();
    for (const waiting of this.#waiting.values()) waiting.reject(new Refused("offline", ""));
    this.#waiting.clear();
  }

  /** Send a command; the answer comes once it is safe, however often the connection breaks meanwhile. */
  send(wish: Wish): Promise<Ack | Reply> {
    const command = { ...wish, id: newId() } as Command;
    return new Promise((resolve, reject) => {
      this.#waiting.set(command.id, { command, resolve, reject });
      if (this.state === "connected") this.#socket?.send(JSON.stringify(command));
    });
  }

  #open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    // The game, which is no secret, stands in the address for proxies that keep all of a game at one process.
    const game = /^([\w-]{1,16})\./.exec(this.link)?.[1] ?? "";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket?game=${game}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.isCut = false;
      socket.send(JSON.stringify({ type: "hello", link: this.link, last: this.last < 0 ? null : this.last }));
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data as string) as ServerMessage);
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry();
    };
  }

  #retry(): void {
    if (this.#isClosed || this.state === "refused" || this.state === "outdated") return;
    this.state = this.game ? "reconnecting" : "connecting";
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
        this.#tell(message.entries, message);
        this.last = message.last;
        this.state = "connected";
        this.#wait = FIRST_WAIT;
        this.#sendAgain();
        break;
      case "update":
        this.#tell(message.entries, message);
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
        this.state = message.status;
        if (message.status === "connected") this.#sendAgain();
        break;
    }
  }

  /** Send all that has no answer yet; the server does nothing twice. */
  #sendAgain(): void {
    for (const { command } of this.#waiting.values()) this.#socket?.send(JSON.stringify(command));
  }

  /** The server does not speak as this page does: it was loaded before an upgrade. */
  #outdate(): void {
    this.state = "outdated";
    this.#socket?.close();
  }

  #tell(
    entries: Told[],
    now: { seats: SeatInfo[]; asked: number | null; view: TableView; own: OwnView | null },
  ): void {
    this.seats = now.seats;
    this.asked = now.asked;
    this.view = now.view;
    this.own = now.own;
    const fresh = entries.filter((entry) => entry.n > this.last);
    const newest = fresh.at(-1);
    if (!newest) return;
    this.last = newest.n;
    const rematch = fresh.findLast((entry) => entry.kind === "rematch");
    if (rematch && this.game) this.game = { ...this.game, rematch: rematch.text ?? null };
    this.onEntries(fresh);
  }

  #refuse(message: Refusal): void {
    const error = new Refused(message.code, message.message, message.rule ?? null);
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
