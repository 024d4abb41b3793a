/** Colours of cards and seats. Each has a symbol or a shape as well, so that players do not need to tell colours apart. */
import { COLOURS, type SeatInfo } from "./messages";

/** How a kind of card is drawn: its colour, the ink on it, a symbol in a box of 24 by 24. */
export interface Kind {
  fill: string;
  ink: string;
  symbol: string;
}

const disc = "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z";

/** Any two on one board can be told apart by colour-blind players; tests measure it. */
export const KINDS: Record<string, Kind> = {
  purple: { fill: "#b072c5", ink: "#2a0f33", symbol: "M12 3l9 9-9 9-9-9z" },
  pink: { fill: "#ee9ac0", ink: "#47142c", symbol: "M12 3l9 9-9 9-9-9z" },
  blue: { fill: "#1561c9", ink: "#ffffff", symbol: "M12 3c4 5 7 8 7 11.5a7 7 0 0 1-14 0C5 11 8 8 12 3z" },
  orange: { fill: "#e88831", ink: "#3d1c00", symbol: "M12 3l9 17H3z" },
  white: { fill: "#f7f5ef", ink: "#4a4f52", symbol: "M4 4h16v16H4z" },
  green: { fill: "#42844f", ink: "#ffffff", symbol: "M12 3l3 6 6 .8-4.4 4.3 1.1 6.3L12 17.3 6.3 20.4l1.1-6.3L3 9.8 9 9z" },
  yellow: { fill: "#f3c93e", ink: "#463800", symbol: disc },
  black: { fill: "#3a3f44", ink: "#ffffff", symbol: "M5 5l14 14M19 5L5 19" },
  red: { fill: "#d53936", ink: "#ffffff", symbol: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z" },
  brown: { fill: "#8c6645", ink: "#ffffff", symbol: "M12 3l8 4.5v9L12 21l-8-4.5v-9z" },
  teal: { fill: "#5fc4bb", ink: "#0c3b38", symbol: "M14 3a9 9 0 1 0 6 15.5A8 8 0 0 1 14 3z" },
  grey: { fill: "#b9b6ad", ink: "#33363a", symbol: "" },
  loco: {
    fill: "url(#loco)",
    ink: "#2b2417",
    symbol: "M2 5h8v4.5h4.5V6h-1V4h5.5v2h-1v3.5q3.5.5 3.5 4V15l2 4h-2.5a2.6 2.6 0 0 1-5 0H15a3 3 0 0 1-6 0h-.5a3 3 0 0 1-5.8 0H2zM4.5 7.2v3.3h3.3V7.2zM5.7 20.4a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM12 20.4a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM18 20.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z",
  },
};

export function kindOf(name: string): Kind {
  return KINDS[name] ?? KINDS["grey"]!;
}

/** How a seat's trains are drawn: a colour of its own, and a shape on each of them. */
export interface SeatLook {
  fill: string;
  ink: string;
  shape: string;
}

export type SeatColour = SeatInfo["colour"];

/** In the order of COLOURS. */
export const SEATS: SeatLook[] = [
  { fill: "#1f4e9e", ink: "#ffffff", shape: disc },
  { fill: "#c0241c", ink: "#ffffff", shape: "M12 3l9 17H3z" },
  { fill: "#1a7d5c", ink: "#ffffff", shape: "M4 4h16v16H4z" },
  { fill: "#e0a800", ink: "#2f2400", shape: "M12 3l9 9-9 9-9-9z" },
  { fill: "#22262a", ink: "#ffffff", shape: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z" },
];

export function lookOf(colour: SeatColour): SeatLook {
  return SEATS[COLOURS.indexOf(colour)]!;
}
