/** What single keys do at the table. */
import { screenShape } from "./screenShape.svelte";
import type { Table } from "./table.svelte";

/** What the page itself has to do for a key. */
interface Page {
  enter: () => void;
  ask: () => void;
  help: () => void;
  command: () => void;
}

/** Each does something and tells whether it did. */
export const KEYS: Record<string, (table: Table, page: Page) => boolean> = {
  escape: (table) => table.cancel(),
  enter(table) {
    const move = table.draft?.chosen.move;
    if (move === undefined || document.activeElement?.closest("button")) return false;
    void table.play(move);
    return true;
  },
  d(table) {
    void table.tapDeck(middle());
    return true;
  },
  t(table, page) {
    if (table.choices.tickets === null && table.choices.swap === null) void table.whyTickets(middle());
    else page.ask();
    return true;
  },
  u(table) {
    if (!table.connection.own?.can_undo) return false;
    void table.tell({ type: "undo" });
    return true;
  },
  h(table) {
    if (!table.isYours) return false;
    void table.ask();
    return true;
  },
  b(_table, page) {
    page.enter();
    return true;
  },
  "/"(_table, page) {
    page.command();
    return true;
  },
  "?"(_table, page) {
    page.help();
    return true;
  },
  ...Object.fromEntries([1, 2, 3, 4, 5].map((slot) => [String(slot), (table: Table) => takeSlot(table, slot - 1)])),
};

function takeSlot(table: Table, slot: number): boolean {
  const kind = table.connection.view?.row[slot];
  if (!kind) return false;
  void table.tapCard(kind, middle());
  return true;
}

/** Where something is said that was asked for by a key. */
function middle(): { x: number; y: number } {
  return { x: innerWidth / 2, y: innerHeight * (screenShape.shape === "tall" ? 0.4 : 0.5) };
}
