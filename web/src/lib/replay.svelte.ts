/** A finished game to go through, moment by moment. Moments are fetched as they are needed, some ahead. */
import { api, sentenceOf } from "./api";
import type { Frame, Welcome } from "./wire";

const CHUNK = 60;

export class Replay {
  welcome: Welcome | null = $state.raw(null);
  actions = $state(0);
  at = $state(0);
  isPlaying = $state(false);
  /** Actions a second. */
  speed = $state(2);
  problem = $state("");
  #frames: Map<number, Frame> = $state.raw(new Map());
  #asked = new Set<number>();

  readonly frame: Frame | null = $derived(this.#frames.get(this.at) ?? null);

  constructor(
    readonly link: string,
    at: number,
  ) {
    this.at = at;
    void this.#begin();
    $effect(() => {
      void this.#fetch(this.at);
      if (this.isPlaying) void this.#fetch(this.at + CHUNK / 2);
    });
    $effect(() => {
      if (!this.isPlaying) return;
      const timer = setInterval(() => {
        if (!this.frame) return; // wait for what is on its way
        if (this.at >= this.actions) this.isPlaying = false;
        else this.at += 1;
      }, 1000 / this.speed);
      return () => clearInterval(timer);
    });
  }

  go(at: number): void {
    this.at = Math.min(Math.max(0, at), this.actions);
  }

  async #begin(): Promise<void> {
    try {
      this.welcome = await api.game(this.link);
    } catch (error) {
      this.problem = sentenceOf(error);
    }
  }

  async #fetch(at: number): Promise<void> {
    const first = Math.floor(at / CHUNK) * CHUNK;
    if (this.#asked.has(first) || (this.actions > 0 && first > this.actions)) return;
    this.#asked.add(first);
    try {
      const part = await api.replay(this.link, first, CHUNK);
      this.actions = part.actions;
      this.#frames = new Map([...this.#frames, ...part.frames.map((frame): [number, Frame] => [frame.n, frame])]);
      if (this.at > part.actions) this.at = part.actions;
    } catch (error) {
      this.#asked.delete(first);
      this.problem = sentenceOf(error);
    }
  }
}
