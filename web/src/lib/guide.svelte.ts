/** The tour of a first game: a real game, and a word about what can be done now. */
import { device } from "./device.svelte";
import type { TextName } from "./words";
import type { Table } from "./table/table.svelte";

const KEY = "goldenspike.guide";

interface Step {
  text: TextName;
  /** Whether what the step is about has happened; a step without goes on when the reader says so. */
  isDone?: (table: Table) => boolean;
}

const cardsTaken = (table: Table): number =>
  table.story.entries
    .filter((entry) => entry.kind === "moved" && entry.seat === table.connection.you)
    .flatMap((entry) => entry.events ?? [])
    .filter((event) => event.kind === "drew" || event.kind === "took").length;

const routesClaimed = (table: Table): number =>
  table.connection.view?.seats[table.connection.you ?? -1]?.routes.length ?? 0;

const STEPS: Step[] = [
  { text: "guide.choose", isDone: (table) => (table.connection.own?.tickets.length ?? 0) > 0 },
  { text: "guide.map" },
  { text: "guide.draw", isDone: (table) => cardsTaken(table) >= 2 || routesClaimed(table) > 0 },
  { text: "guide.bots", isDone: (table) => table.lit.size > 0 || routesClaimed(table) > 0 },
  { text: "guide.claim", isDone: (table) => routesClaimed(table) > 0 },
  { text: "guide.points" },
  { text: "guide.end" },
  { text: "guide.done" },
];

/** The game that the tour is about, on this device. */
let guided: string | null = device.recall(KEY, String, "sessionStorage");

export function startGuide(game: string | null): void {
  guided = game;
  device.keep(KEY, game, "sessionStorage");
}

export class Guide {
  #at = $state(0);
  isOpen = $state(true);
  readonly count = STEPS.length;

  constructor(readonly table: Table) {
    $effect(() => {
      const step = STEPS[this.#at];
      if (step?.isDone?.(this.table)) this.#at += 1;
    });
  }

  get number(): number {
    return this.#at + 1;
  }

  get text(): TextName | null {
    return STEPS[this.#at]?.text ?? null;
  }

  get canGoOn(): boolean {
    return STEPS[this.#at]?.isDone === undefined;
  }

  goOn(): void {
    if (this.#at + 1 < STEPS.length) this.#at += 1;
    else this.close();
  }

  close(): void {
    this.isOpen = false;
    startGuide(null);
  }
}

export function isGuided(game: string): boolean {
  return guided === game;
}
