/** What is going on, in one sentence: whose turn it is, and what can be done in it. */
import { shelf } from "../shelf.svelte";
import { t } from "../words";
import type { Table } from "./table.svelte";

export function turnSentence(table: Table): string {
  const { view, you, own } = table.connection;
  if (!view) return "";
  if (view.ending) return t("turn.over");
  if (table.freeSeats > 0) return t("turn.waiting", { count: table.freeSeats });
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
  const isElsewhere = shelf.find(table.connection.game?.game ?? "")?.links[seat] === undefined;
  return t(info?.is_here === false && isElsewhere ? "turn.awaited" : "turn.of", { name });
}

function yours(table: Table, phase: string): string {
  const { choices } = table;
  if (phase === "choosing" || phase === "keeping") return t("turn.keep");
  if (phase === "second card") return t("turn.secondCard");
  if (choices.pass !== null) return t("turn.pass");
  return t(table.atlas?.moveOf("swap") == null ? "turn.yours" : "turn.yoursRace");
}
