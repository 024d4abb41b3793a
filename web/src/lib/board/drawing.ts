/** Where everything lies on a board, ready to be drawn. All measures follow from the size of a space. */
import type { EditionInfo } from "../wire";

export interface Space {
  x: number;
  y: number;
  /** In degrees, clockwise from the right. */
  angle: number;
}

export interface CityPlace {
  code: string;
  name: string;
  x: number;
  y: number;
  labelX: number;
  labelY: number;
  anchor: "start" | "middle" | "end";
  marks: string[];
}

export interface Drawing {
  size: [width: number, height: number];
  /** Length and width of a space. */
  car: [length: number, width: number];
  cities: Map<string, CityPlace>;
  routes: Map<string, Space[]>;
  land: { kind: string; d: string }[];
}

const SCALE = 1.7;
const CAR: [number, number] = [33, 11];

/** Straight lines between the cities, until boards bring a layout of their own. */
export function drawingOf(edition: EditionInfo): Drawing {
  const size: [number, number] = [edition.size[0] * SCALE, edition.size[1] * SCALE];
  const cities = new Map<string, CityPlace>();
  for (const { code, name, x, y, marks } of edition.cities) {
    const at = { x: x * SCALE, y: y * SCALE };
    cities.set(code, { code, name, ...at, labelX: at.x, labelY: at.y - 11, anchor: "middle", marks });
  }
  const routes = new Map<string, Space[]>();
  for (const route of edition.routes) {
    const a = cities.get(route.a)!;
    const b = cities.get(route.b)!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const isFirst = route.twin === null || edition.routes.findIndex((r) => r.name === route.twin) > edition.routes.indexOf(route);
    const aside = route.twin === null ? 0 : (isFirst ? -0.5 : 0.5) * (CAR[1] + 2);
    const pitch = Math.min(CAR[0] + 2.5, (length - 16) / route.length);
    const angle = (Math.atan2(uy, ux) * 180) / Math.PI;
    routes.set(
      route.name,
      Array.from({ length: route.length }, (_, i) => {
        const along = length / 2 + (i - (route.length - 1) / 2) * pitch;
        return { x: a.x + ux * along - uy * aside, y: a.y + uy * along + ux * aside, angle };
      }),
    );
  }
  return { size, car: CAR, cities, routes, land: [] };
}
