/** Names of cities when a board is seen from afar: larger than they were laid out, so only some have room. */
import type { CityPlace } from "./drawing";

/** How far a letter reaches above its foot, and from line to line, as parts of the size of the text. */
const [ABOVE, BELOW] = [0.75, 0.25];
/** Fonts differ a little from the one that widths were measured with. */
const SPARE = 1.08;

/** Where a name that has grown is written, so that it stays on a board of some width. */
export function nameX({ label }: CityPlace, growth: number, width: number): number {
  if (growth === 1) return label.x;
  const long = label.width * growth * SPARE;
  const before = { start: 0, middle: 0.5, end: 1 }[label.anchor] * long;
  const edge = 4 * growth;
  return Math.min(Math.max(label.x, before + edge), width - long + before - edge);
}

interface Sizes {
  text: number;
  leading: number;
  growth: number;
  width: number;
}

/** Those of some cities whose names can all be written; the first ones go first. */
export function roomyNames(cities: Record<string, CityPlace>, wanted: Iterable<string>, sizes: Sizes): Set<string> {
  const { text, leading, growth, width } = sizes;
  const named = new Set<string>();
  const taken: [left: number, top: number, right: number, bottom: number][] = [];
  for (const code of wanted) {
    const place = cities[code];
    if (!place) continue;
    const { label } = place;
    const long = label.width * growth * SPARE;
    const left = nameX(place, growth, width) - { start: 0, middle: 0.5, end: 1 }[label.anchor] * long;
    const [top, lines] = [label.y - text * ABOVE * growth, label.lines.length - 1];
    const bottom = label.y + (text * BELOW + lines * leading) * growth;
    const isFree = taken.every(([l, t, r, b]) => left > r || left + long < l || top > b || bottom < t);
    if (!isFree) continue;
    named.add(code);
    taken.push([left, top, left + long, bottom]);
  }
  return named;
}
