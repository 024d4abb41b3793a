/** Ways over a seat's own routes, to be lit on the board. */
import type { RouteInfo } from "../wire";

/** The routes of the shortest way between two cities over some routes; none if they are not joined. */
export function pathBetween(routes: RouteInfo[], from: string, to: string): string[] {
  const cost = new Map<string, number>([[from, 0]]);
  const cameBy = new Map<string, RouteInfo>();
  const waiting = new Set([from]);
  while (waiting.size) {
    const city = [...waiting].reduce((a, b) => (cost.get(b)! < cost.get(a)! ? b : a));
    waiting.delete(city);
    if (city === to) break;
    for (const route of routes) {
      if (route.a !== city && route.b !== city) continue;
      const next = route.a === city ? route.b : route.a;
      const sum = cost.get(city)! + route.length;
      if (sum < (cost.get(next) ?? Infinity)) {
        cost.set(next, sum);
        cameBy.set(next, route);
        waiting.add(next);
      }
    }
  }
  const path: string[] = [];
  for (let city = to; city !== from; ) {
    const route = cameBy.get(city);
    if (!route) return [];
    path.unshift(route.name);
    city = route.a === city ? route.b : route.a;
  }
  return path;
}
