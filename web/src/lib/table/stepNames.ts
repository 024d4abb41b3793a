/** Names of what is counted at the end. */
import type { EditionIndex } from "./editionIndex";
import { PATH, type CeremonyStep } from "./ceremony";
import { named, t } from "../words";

/** What a step counts: a ticket by its cities, or the name of a bonus. */
export function nameOf(step: CeremonyStep, editionIndex: EditionIndex): string {
  if (step.ticket !== null) return editionIndex.ticket(step.ticket);
  if (step.isBonus) return t("end.bonus");
  return step.term === PATH ? t("end.longest", { pieces: editionIndex.pieces(step.length) }) : named("term", step.term);
}
