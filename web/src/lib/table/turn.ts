/** What is going on, in one sentence: whose turn it is, and what can be done in it. */
import { savedGames } from "../savedGames.svelte";
import type { SeatInfo } from "../messages";
import { list, t } from "../words";
import type { Table } from "./table.svelte";

export function turnSentence(table: Table): string {
  const { view, you, own } = table.connection;
  if (!view) return "";
  if (view.ending) return t("turn.over");
  if (table.isWaiting) return waitingSentence(table.missing);
  if (table.isStoodIn) return t("turn.standIn");
  if (table.isYours && own) return yours(table, view.phase);
  if (view.phase === "choosing") {
    const names = view.to_move.map((seat) => table.names[seat] ?? "");
    return t(you === null ? "turn.choosing" : "turn.othersChoose", { names: names.join(", ") });
  }
  const seat = view.to_move[0] ?? 0;
  const name = table.names[seat] ?? "";
  const info = table.connection.seats[seat];
  if (info?.level != null) return t("turn.thinking", { name });
  const isElsewhere = savedGames.find(table.connection.game?.game ?? "")?.links[seat] === undefined;
  return t(info?.is_here === false && isElsewhere ? "turn.awaited" : "turn.of", { name });
}

/** A sentence about the players who have not joined. */
export function waitingSentence(missing: SeatInfo[]): string {
  const count = missing.length;
  if (missing.some((seat) => seat.who === "free")) return t("turn.waiting", { count });
  return t("turn.waitingInvited", { count, names: list(missing.map((seat) => seat.name)) });
}

function yours(table: Table, phase: string): string {
  const { choices } = table;
  if (phase === "choosing" || phase === "keeping") return t("turn.keep");
  if (phase === "second card") return t("turn.secondCard");
  if (choices.pass !== null) return t("turn.pass");
  return t(table.editionIndex?.moveOf("swap") == null ? "turn.yours" : "turn.yoursRace");
}
