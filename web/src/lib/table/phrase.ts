/** Sentences with more than words in them: players, cards, places. */
import { t, type TextName } from "../words";
import type { EditionIndex, Pile } from "./editionIndex";

export type Part =
  | string
  | { kind: "seat"; seat: number; name: string }
  | { kind: "cards"; piles: Pile[] }
  | { kind: "place"; text: string };

export type Gap = string | number | Exclude<Part, string>;

/** A text of the catalogue, in parts. */
export function phrase(name: TextName, gaps: Record<string, Gap> = {}): Part[] {
  const rich: Exclude<Part, string>[] = [];
  const plain: Record<string, string | number> = {};
  for (const [key, gap] of Object.entries(gaps)) {
    // A gap with more than words is marked by a character that no text has, and cut out again below.
    plain[key] = typeof gap === "object" ? `\u0000${rich.push(gap) - 1}\u0000` : gap;
  }
  return t(name, plain)
    .split("\u0000")
    .map((piece, i) => (i % 2 ? rich[Number(piece)]! : piece))
    .filter((part) => part !== "");
}

/** The same in words only, to be read out. */
export function spoken(parts: Part[], editionIndex: EditionIndex): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.kind === "seat") return part.name;
      return part.kind === "place" ? part.text : editionIndex.piles(part.piles);
    })
    .join("");
}
