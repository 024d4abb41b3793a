/** What a finger means on a board, and where an arrow key leads. */
import type { Drawing, Space } from "./drawing";

/** A route or a city that can be reached by keys. */
export interface Stop {
  name: string;
  x: number;
  y: number;
}

export type Direction = "up" | "down" | "left" | "right";

/** The middle of a route. */
export function middleOf(spaces: Space[]): { x: number; y: number } {
  const half = (spaces.length - 1) / 2;
  const [ax, ay] = spaces[Math.floor(half)]!;
  const [bx, by] = spaces[Math.ceil(half)]!;
  return { x: (ax + bx) / 2, y: (ay + by) / 2 };
}

/** The route nearest to a point, if one is within reach. */
export function routeAt(drawing: Drawing, x: number, y: number, reach: number): string | null {
  let best: string | null = null;
  let least = reach;
  for (const [name, spaces] of Object.entries(drawing.routes)) {
    for (const space of spaces) {
      const away = distance(space, drawing.car, x, y);
      if (away < least) [best, least] = [name, away];
    }
  }
  return best;
}

/** How far a point is from a space; less than nothing inside it, so that of two lanes the one hit better counts. */
function distance([spaceX, spaceY, angle]: Space, [length, width]: [number, number], x: number, y: number): number {
  const turn = (-angle * Math.PI) / 180;
  const [dx, dy] = [x - spaceX, y - spaceY];
  const along = Math.abs(dx * Math.cos(turn) - dy * Math.sin(turn)) - length / 2;
  const aside = Math.abs(dx * Math.sin(turn) + dy * Math.cos(turn)) - width / 2;
  if (along < 0 && aside < 0) return Math.max(along, aside);
  return Math.hypot(Math.max(along, 0), Math.max(aside, 0));
}

/** The nearest stop in a direction: straight ahead counts for more than aside. */
export function stopTowards(stops: Stop[], from: Stop, direction: Direction): Stop | null {
  const [ux, uy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[direction] as [number, number];
  let best: Stop | null = null;
  let least = Infinity;
  for (const stop of stops) {
    const [dx, dy] = [stop.x - from.x, stop.y - from.y];
    const ahead = dx * ux + dy * uy;
    const aside = Math.abs(dx * uy - dy * ux);
    if (stop.name === from.name || ahead <= 0 || aside > 2 * ahead) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [stop, cost];
  }
  return best;
}

/** Every route and city, by where it lies. Cities are called by their code, with a star before it. */
export function stopsOf(drawing: Drawing): Stop[] {
  return [
    ...Object.entries(drawing.routes).map(([name, spaces]) => ({ name, ...middleOf(spaces) })),
    ...Object.entries(drawing.cities).map(([code, { x, y }]) => ({ name: `*${code}`, x, y })),
  ];
}
