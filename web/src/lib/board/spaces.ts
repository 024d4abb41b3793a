/** Spaces of routes in a picture that only knows the middles of them. */

type Point = [x: number, y: number];

/** Return a stroke for every space of a line `[x, y, x, y, ...]`; a single space points from one near city to the other. */
export function spaceStrokes(line: number[], length: number, cities: Point[]): string {
  const points = Array.from({ length: line.length / 2 }, (_, i): Point => [line[2 * i]!, line[2 * i + 1]!]);
  const away = ([x, y]: Point, [u, v]: Point): number => Math.hypot(x - u, y - v);
  return points
    .map((point, i) => {
      let [from, to] = [points[i - 1] ?? point, points[i + 1] ?? point];
      if (from === to) [from, to] = [...cities].sort((a, b) => away(a, point) - away(b, point)).slice(0, 2) as [Point, Point];
      const size = away(from, to) || 1;
      const [dx, dy] = [((to[0] - from[0]) / size) * (length / 2), ((to[1] - from[1]) / size) * (length / 2)];
      return `M${(point[0] - dx).toFixed(1)} ${(point[1] - dy).toFixed(1)}L${(point[0] + dx).toFixed(1)} ${(point[1] + dy).toFixed(1)}`;
    })
    .join("");
}

/** Return the usual distance from a space to the next. */
export function spacing(lines: number[][]): number {
  const found = lines.filter((line) => line.length > 2).map(([a, b, c, d]) => Math.hypot(c! - a!, d! - b!));
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 30;
}
