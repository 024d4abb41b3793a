/** Paths over a seat's own routes, to be highlighted on the board. */
import type { RouteInfo } from "../messages";

/** The routes of the shortest path between two cities over some routes; none if they are not connected. */
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

/** The routes of a path in the order in which it runs through them, each once, from one of its ends. */
export function inOrder(routes: RouteInfo[]): string[] {
  const count = (city: string): number => routes.filter(({ a, b }) => a === city || b === city).length;
  const cities = routes.flatMap(({ a, b }) => [a, b]);
  const start = cities.find((city) => count(city) % 2 === 1) ?? cities[0];
  if (start === undefined) return [];
  // Hierholzer's algorithm: go on until there is no way on, then insert detours while going back.
  const left = new Set(routes);
  const stack: { city: string; by: RouteInfo | null }[] = [{ city: start, by: null }];
  const path: string[] = [];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { city } = top;
    const next = [...left].find(({ a, b }) => a === city || b === city);
    if (next) {
      left.delete(next);
      stack.push({ city: next.a === city ? next.b : next.a, by: next });
    } else {
      stack.pop();
      if (top.by) path.unshift(top.by.name);
    }
  }
  return path;
}
