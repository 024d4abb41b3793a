/** Which statistics are shown, in which order. A row of zeros is left out. */
import type { SeatStatistics } from "./messages";

export const ROWS = [
  "turns",
  "turns_drawing_cards",
  "turns_claiming",
  "turns_drawing_tickets",
  "turns_passed",
  "points_per_turn",
  "routes",
  "average_route_length",
  "longest_path",
  "pieces_left",
  "cards_taken",
  "locomotives_taken",
  "cards_drawn",
  "locomotives_drawn",
  "cards_played",
  "locomotives_played",
  "cards_left",
  "luck",
  "tickets_offered",
  "tickets_returned",
  "tickets_made",
  "tickets_failed",
  "tickets_cut_off",
] as const satisfies readonly (keyof SeatStatistics)[];

export type Row = (typeof ROWS)[number];

export function shownRows(seats: SeatStatistics[]): Row[] {
  return ROWS.filter((row) => seats.some((seat) => seat[row] !== 0));
}

/** A line for each seat, from its points at every moment, through a box of this size; and where zero is. */
export function scoreLines(score: number[][], width: number, height: number): { paths: string[]; zero: number } {
  const all = score.flat();
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const moments = Math.max(...score.map((points) => points.length), 2);
  const x = (i: number): number => (i / (moments - 1)) * width;
  const y = (points: number): number => height - ((points - least) / (most - least)) * height;
  const paths = score.map((points) =>
    points.map((value, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join(""),
  );
  return { paths, zero: y(0) };
}
