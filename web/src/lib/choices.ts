/** The legal moves of a seat, grouped by what a player would tap. The numbers come from the server; this only looks them up. */
import type { EditionInfo, MoveInfo } from "./messages";

/** A way to pay for a route. */
export interface Payment {
  move: number;
  colour: string | null;
  cards: number;
  locomotives: number;
}

export interface Choices {
  /** By route name: every legal payment, fewest locomotives first. */
  claims: Map<string, Payment[]>;
  /** Moves that take a face-up card, by colour or "loco". */
  takes: Map<string, number>;
  draw: number | null;
  tickets: number | null;
  swap: number | null;
  pass: number | null;
  /** Moves that keep tickets, by which of the offer they keep, a bit each. */
  keeps: Map<number, number>;
}

export function sortMoves(edition: EditionInfo, legal: number[]): Choices {
  const choices: Choices = {
    claims: new Map(),
    takes: new Map(),
    draw: null,
    tickets: null,
    swap: null,
    pass: null,
    keeps: new Map(),
  };
  for (const move of legal) {
    const info = edition.moves[move];
    if (info) add(choices, move, info);
  }
  for (const payments of choices.claims.values()) payments.sort((a, b) => a.locomotives - b.locomotives);
  return choices;
}

function add(choices: Choices, move: number, info: MoveInfo): void {
  switch (info.kind) {
    case "claim": {
      const payments = choices.claims.get(info.route ?? "") ?? [];
      payments.push({ move, colour: info.colour ?? null, cards: info.cards ?? 0, locomotives: info.locomotives ?? 0 });
      choices.claims.set(info.route ?? "", payments);
      break;
    }
    case "take":
      choices.takes.set(info.colour ?? "loco", move);
      break;
    case "keep":
      choices.keeps.set(info.mask ?? 0, move);
      break;
    case "draw":
      choices.draw = move;
      break;
    case "tickets":
      choices.tickets = move;
      break;
    case "swap":
      choices.swap = move;
      break;
    case "pass":
      choices.pass = move;
      break;
  }
}
