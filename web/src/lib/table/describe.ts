/** A move in words, as advice: "Claim Chicago – Pittsburgh with …". */
import type { MoveInfo } from "../messages";
import { type EditionIndex, pilesOf } from "./editionIndex";
import { type Part, phrase } from "./phrase";

export function describeMove(editionIndex: EditionIndex, move: MoveInfo, offer: string[]): Part[] {
  switch (move.kind) {
    case "claim":
      return phrase("move.claim", {
        route: { kind: "place", text: editionIndex.route(move.route ?? "") },
        cards: { kind: "cards", piles: pilesOf(move.colour ?? null, move.cards ?? 0, move.locomotives ?? 0) },
      });
    case "take":
      return phrase("move.take", { cards: { kind: "cards", piles: [{ kind: move.colour ?? "loco", count: 1 }] } });
    case "keep": {
      const kept = offer.filter((_, i) => ((move.mask ?? 0) >> i) & 1);
      return phrase("move.keep", { tickets: { kind: "place", text: kept.map((name) => editionIndex.ticket(name)).join(", ") } });
    }
    case "draw":
      return phrase("move.draw");
    case "tickets":
      return phrase("move.tickets");
    case "swap":
      return phrase("move.swap");
    default:
      return phrase("move.pass");
  }
}
