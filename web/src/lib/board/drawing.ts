/** Where everything lies on a board, ready to be drawn: the layout that comes with an edition. */
import type { EditionInfo } from "../wire";

/** The middle of a space, and its angle in degrees, clockwise from level. */
export type Space = [x: number, y: number, angle: number];

export interface CityPlace {
  x: number;
  y: number;
  label: { x: number; y: number; anchor: "start" | "middle" | "end"; lines: string[]; width: number };
}

export interface Drawing {
  size: [width: number, height: number];
  /** Length and width of a space. */
  car: [length: number, width: number];
  dot: number;
  text: number;
  leading: number;
  cities: Record<string, CityPlace>;
  routes: Record<string, Space[]>;
  land: { kind: string; d: string }[];
}

const SCALE = 1.7;
const CAR: [number, number] = [33, 11];

/** Straight lines between the cities, until boards bring a layout of their own. */
export function drawingOf(edition: EditionInfo): Drawing {
  const given = (edition as unknown as { layout?: Drawing }).layout;
  if (given) return given;
  const size: [number, number] = [edition.size[0] * SCALE, edition.size[1] * SCALE];
  const cities: Record<string, CityPlace> = {};
  for (const city of edition.cities) {
    const [x, y] = [city.x * SCALE, city.y * SCALE];
    cities[city.code] = { x, y, label: { x, y: y - 11, anchor: "middle", lines: [city.name], width: 0 } };
  }
  const routes: Record<string, Space[]> = {};
  for (const route of edition.routes) {
    const a = cities[route.a]!;
    const b = cities[route.b]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const isFirst = route.twin === null || edition.routes.findIndex((r) => r.name === route.twin) > edition.routes.indexOf(route);
    const aside = route.twin === null ? 0 : (isFirst ? -0.5 : 0.5) * (CAR[1] + 2);
    const pitch = Math.min(CAR[0] + 2.5, (length - 16) / route.length);
    const angle = (Math.atan2(uy, ux) * 180) / Math.PI;
    routes[route.name] = Array.from({ length: route.length }, (_, i): Space => {
      const along = length / 2 + (i - (route.length - 1) / 2) * pitch;
      return [a.x + ux * along - uy * aside, a.y + uy * along + ux * aside, angle];
    });
  }
  return { size, car: CAR, dot: 7, text: 13, leading: 14, cities, routes, land: [] };
}
