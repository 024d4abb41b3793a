/** The route or city that a tap on a board means, and the target of an arrow key. */
import type { Drawing, Space } from "./line";

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

/** How far from a point a route and a city may be to be meant by it. */
export interface Reach {
  route: number;
  city: number;
}

/** The route or the city that is nearest to a point, if one is within reach. On a space, it is always the route. */
export function thingAt(drawing: Drawing, x: number, y: number, reach: Reach): { route: string | null; city: string | null } {
  let [route, city]: [string | null, string | null] = [null, null];
  let least = reach.route;
  for (const [name, spaces] of Object.entries(drawing.routes)) {
    for (const space of spaces) {
      const away = distance(space, drawing.car, x, y);
      if (away < least) [route, least] = [name, away];
    }
  }
  least = Math.min(least, reach.city);
  for (const [code, place] of Object.entries(drawing.cities)) {
    const away = Math.hypot(x - place.x, y - place.y) - drawing.dot;
    if (away < least) [city, least] = [code, away];
  }
  return city === null ? { route, city } : { route: null, city };
}

/** The distance of a point from a space; negative inside it, so that the closer of two lanes wins. */
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

/** Every route and city with its position. A city's name is its code with a star before it. */
export function stopsOf(drawing: Drawing): Stop[] {
  return [
    ...Object.entries(drawing.routes).map(([name, spaces]) => ({ name, ...middleOf(spaces) })),
    ...Object.entries(drawing.cities).map(([code, { x, y }]) => ({ name: `*${code}`, x, y })),
  ];
}
