/** A refused request, and the sentence about it in the reader's language. */
import type { Refusal } from "./messages";
import type { EditionIndex } from "./table/editionIndex";
import { list, t, type TextName } from "./words";

type Known = Pick<Refusal, "reason" | "details" | "rule" | "options">;

/** A request that the server refused, that did not reach it ("offline"), or that failed in the page. */
export class Refused extends Error {
  constructor(
    readonly code: Refusal["code"] | "offline" | "failed",
    readonly known: Partial<Known> = {},
  ) {
    super(known.reason ?? code);
  }
}

/** What the sentence needs to know of the table. */
export interface Hearing {
  editionIndex: EditionIndex | null;
  names: string[];
}

/** A sentence for the user about a failed request. */
export function sentenceOf(error: unknown, hearing: Hearing = { editionIndex: null, names: [] }): string {
  if (!(error instanceof Refused) || error.code === "offline") return t("app.offline");
  if (error.code === "failed") return t("app.failed");
  return refusalText(error.known.reason ?? error.code, error.known, hearing);
}

/** A reason with its details in words. */
export function refusalText(
  reason: NonNullable<Refusal["reason"]> | Refusal["code"],
  { details = {}, options }: Partial<Pick<Known, "details" | "options">>,
  { editionIndex, names }: Hearing,
): string {
  const count = (name: string): number => Number(details[name] ?? 0);
  const card = String(details["card"] ?? "loco");
  const gaps: Record<string, string | number> = {
    ...details,
    name: details["name"] ?? names[count("seat")] ?? "",
    card: editionIndex?.card(card) ?? card,
    cards: editionIndex?.pile({ kind: card, count: count("held") }) ?? "",
    pieces: editionIndex?.pieces(count("left")) ?? "",
    options: list(options ?? []),
  };
  const name: TextName = reason === "locomotive_second" && editionIndex?.isTaxi ? "refusal.locomotive_second.taxi" : `refusal.${reason}`;
  return t(name, gaps);
}
