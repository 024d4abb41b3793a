/** A finished game, move by move. Frames are fetched as they are needed, some ahead. */
import { api } from "./api";
import { sentenceOf } from "./refused";
import type { SeatColour } from "./kinds";
import type { ReplayFrame } from "./messages";

const CHUNK = 60;

export class Replay {
  edition: string | null = $state(null);
  names: string[] = $state.raw([]);
  colours: SeatColour[] = $state.raw([]);
  actions = $state(0);
  at = $state(0);
  isPlaying = $state(false);
  /** Actions per second. */
  speed = $state(2);
  problem = $state("");
  #frames: Map<number, ReplayFrame> = $state.raw(new Map());
  #asked = new Set<number>();

  /** Whether the length of the game is known; until then `go` could only go to the deal. */
  readonly isLoaded = $derived(this.#frames.size > 0);
  readonly frame: ReplayFrame | null = $derived(this.#frames.get(this.at) ?? null);

  constructor(
    readonly game: string,
    at: number,
  ) {
    this.at = at;
    $effect(() => {
      void this.#fetch(this.at);
      if (this.isPlaying) void this.#fetch(this.at + CHUNK / 2);
    });
    $effect(() => {
      if (!this.isPlaying) return;
      const timer = setInterval(() => {
        if (!this.frame) return; // wait for the frame being fetched
        if (this.at >= this.actions) this.isPlaying = false;
        else this.at += 1;
      }, 1000 / this.speed);
      return () => clearInterval(timer);
    });
  }

  go(at: number): void {
    this.at = Math.min(Math.max(0, at), this.actions);
  }

  async #fetch(at: number): Promise<void> {
    const first = Math.floor(at / CHUNK) * CHUNK;
    if (this.#asked.has(first) || (this.actions > 0 && first > this.actions)) return;
    this.#asked.add(first);
    try {
      const part = await api.replay(this.game, first, CHUNK);
      this.edition = part.edition;
      this.names = part.names;
      this.colours = part.colours;
      this.actions = part.actions;
      this.#frames = new Map([...this.#frames, ...part.frames.map((frame): [number, ReplayFrame] => [frame.n, frame])]);
      if (this.at > part.actions) this.at = part.actions;
    } catch (error) {
      this.#asked.delete(first);
      this.problem = sentenceOf(error);
    }
  }
}
