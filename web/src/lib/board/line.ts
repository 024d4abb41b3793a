/** The positions of everything on a board, and a line through the spaces of a route as an SVG path. */
import type { BoardLayout } from "../messages";

export type { CityPlace } from "../messages";
/** The layout that comes with an edition, ready to be drawn. */
export type Drawing = BoardLayout;
/** The middle of a space, and its angle in degrees, clockwise from level. */
export type Space = [x: number, y: number, angle: number];

/** Return a line from the outer end of the first space to that of the last. */
export function lineThrough(spaces: Space[], length: number): string {
  const [first, last] = [spaces[0], spaces.at(-1)];
  if (!first || !last) return "";
  const points = [
    outward(first, spaces[1], length / 2, -1),
    ...spaces.map(([x, y]) => [x, y] as const),
    outward(last, spaces.at(-2), length / 2, 1),
  ];
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** The end of a space that is turned away from its neighbour; without one, either end by the sign. */
function outward([x, y, angle]: Space, neighbour: Space | undefined, by: number, sign: 1 | -1): readonly [number, number] {
  const turn = (angle * Math.PI) / 180;
  const [ux, uy] = [Math.cos(turn), Math.sin(turn)];
  const away = neighbour ? Math.sign((x - neighbour[0]) * ux + (y - neighbour[1]) * uy) : sign;
  return [x + ux * by * away, y + uy * by * away];
}
