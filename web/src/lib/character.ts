/** A bot's character, as a sentence. */
import type { SeatInfo } from "./messages";
import { t } from "./words";

/** Return the sentence; in a race for tickets all medium bots play the same way. */
export function characterOf(level: string | null, style: SeatInfo["style"], name: string, hasPoints: boolean): string {
  if (level === "easy" || level === "hard") return t(`player.character.${level}`, { name });
  if (level !== "medium") return "";
  return t(hasPoints ? `player.character.${style ?? "medium"}` : "player.character.race", { name });
}
