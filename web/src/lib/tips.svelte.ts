/** Tips for a first game, each shown once per device. */
import { device } from "./device.svelte";
import type { Table } from "./table/table.svelte";
import type { TextName } from "./words";

const KEY = "goldenspike.tips";

interface Tip {
  name: string;
  text: TextName;
  isDue: (table: Table) => boolean;
}

/** The most urgent first. */
const TIPS: Tip[] = [
  { name: "last", text: "tip.last", isDue: (table) => table.connection.view?.turns_left != null && table.editionIndex!.hasPoints },
  { name: "turn", text: "tip.turn", isDue: () => true },
  { name: "claim", text: "tip.claim", isDue: (table) => table.strong.size > 0 },
];

export class Tips {
  /** The tip that is shown. */
  text: TextName | null = $state(null);

  constructor(table: Table) {
    const isTurn = $derived(table.isYours && !table.isStoodIn && !table.isWaiting && !table.isChoosing && !table.connection.view?.ending);
    let hadTip = false;
    $effect(() => {
      if (!isTurn) {
        this.text = null;
        hadTip = false;
        return;
      }
      if (hadTip) return; // one tip a turn is enough
      const seen = device.recall(KEY, (found) => (Array.isArray(found) ? found.map(String) : [])) ?? [];
      const tip = TIPS.find(({ name, isDue }) => !seen.includes(name) && isDue(table));
      if (!tip) return;
      device.keep(KEY, [...seen, tip.name]);
      hadTip = true;
      this.text = tip.text;
    });
  }
}
