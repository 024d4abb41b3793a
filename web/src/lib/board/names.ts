/** Names of cities when the board is zoomed out: larger than in the layout, so they are placed again. */
import type { Rectangle } from "./camera";
import type { Drawing } from "./line";

/** Height above and below the baseline, as fractions of the font size. */
const [ABOVE, BELOW] = [0.75, 0.25];
/** Fonts differ a little from the one that widths were measured with. */
const SPARE = 1.08;
/** A cell of the grid in which names are placed, as a part of the size of the text. */
const CELL = 0.1;
/** How far from its city a name may be, and how far without a line to it, as parts of the size of the text. */
const [FARTHEST, BESIDE] = [11, 0.9];
/** The ring around a city that is shown, in radii of the city. */
const RING = 2.5;

/** A name where it is written, in units of the board. */
export interface Name {
  lines: string[];
  /** Its centre, and the baseline of its first line. */
  x: number;
  y: number;
  /** Where a line that leads from the city to the name ends; null where the name is right beside the city. */
  end: [x: number, y: number] | null;
}

interface Found {
  name: Name;
  bounds: Rectangle;
  cost: number;
}

/**
 * Place the names of some cities near them, where they cover no space of a route, no city and no other name; the first
 * ones go first. A name that has no room is left out.
 */
export function placeNames(drawing: Drawing, wanted: Iterable<string>, text: number, blocked: Rectangle[] = []): Map<string, Name> {
  const grid = new Grid(drawing, text * CELL);
  for (const part of blocked) grid.take(part);
  const names = new Map<string, Name>();
  for (const code of new Set(wanted)) {
    const found = placeName(drawing, code, text, grid);
    if (!found) continue;
    names.set(code, found.name);
    grid.take(found.bounds);
  }
  return names;
}

/**
 * The drawing with the names of the reader's language, and where those names are written: the layout has places for the
 * names of the data only. The others keep theirs.
 */
export function localise(drawing: Drawing, names: Map<string, string>, widthOf: (name: string) => number): { drawing: Drawing; placed: Map<string, Name> } {
  if (!names.size) return { drawing, placed: new Map() };
  const cities = { ...drawing.cities };
  for (const [code, name] of names) {
    const city = cities[code];
    if (city) cities[code] = { ...city, label: { ...city.label, lines: [name], width: widthOf(name) * drawing.text } };
  }
  const local = { ...drawing, cities };
  const kept = Object.entries(drawing.cities).filter(([code]) => !names.has(code));
  const taken = kept.map(([, { label }]) => boundsOf(label, drawing));
  return { drawing: local, placed: placeNames(local, names.keys(), drawing.text, taken) };
}

/** The rectangle of a name as it was laid out. */
function boundsOf(label: Drawing["cities"][string]["label"], { text, leading }: Drawing): Rectangle {
  const left = label.x - label.width * { start: 0, middle: 0.5, end: 1 }[label.anchor];
  return [left, label.y - ABOVE * text, left + label.width, label.y + BELOW * text + (label.lines.length - 1) * leading];
}

function placeName(drawing: Drawing, code: string, text: number, grid: Grid): Found | null {
  const city = drawing.cities[code];
  if (!city) return null;
  const leading = (drawing.leading / drawing.text) * text;
  const step = 2 * text * CELL;
  let best: Found | null = null;
  for (const { lines, width } of shapesOf(city.label.lines, (city.label.width / drawing.text) * text * SPARE)) {
    const height = (ABOVE + BELOW) * text + (lines.length - 1) * leading;
    const [across, down] = [FARTHEST * text + width, FARTHEST * text + height];
    for (let left = city.x - across; left <= city.x + FARTHEST * text; left += step) {
      for (let top = city.y - down; top <= city.y + FARTHEST * text; top += step) {
        const [x, y] = [between(left, city.x, left + width), between(top, city.y, top + height)];
        const away = Math.sqrt((x - city.x) ** 2 + (y - city.y) ** 2);
        // Beside the city is better than above or below, and on the right, where names usually are, better than on the left.
        const cost = away + 0.15 * Math.abs(top + height / 2 - city.y) + (left + width / 2 < city.x ? 0.2 * text : 0);
        if (away < RING * drawing.dot || away > FARTHEST * text || (best && cost >= best.cost) || !grid.isFree(left, top, left + width, top + height)) continue;
        const end: Name["end"] = away <= RING * drawing.dot + BESIDE * text ? null : [x, y];
        best = { name: { lines, x: left + width / 2, y: top + ABOVE * text, end }, bounds: [left, top, left + width, top + height], cost };
      }
    }
  }
  return best;
}

function between(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** A name as it was laid out, and one of several words on two lines. */
function shapesOf(lines: string[], width: number): { lines: string[]; width: number }[] {
  const shapes = [{ lines, width }];
  const [line] = lines;
  if (lines.length > 1 || !line?.includes(" ")) return shapes;
  const gaps = [...line].flatMap((letter, i) => (letter === " " ? [i] : []));
  const cut = gaps.reduce((a, b) => (Math.abs(b - line.length / 2) < Math.abs(a - line.length / 2) ? b : a));
  const halves = [line.slice(0, cut), line.slice(cut + 1)];
  // Letters differ in width: the longer half may be wider than its part of all letters.
  const part = Math.max(...halves.map((half) => half.length)) / line.length;
  return [...shapes, { lines: halves, width: width * Math.min(1, part * 1.1) }];
}

/** The occupied cells of a board; prefix sums give the number in any rectangle at once. */
class Grid {
  readonly #columns: number;
  readonly #rows: number;
  readonly #sums: Uint32Array;
  readonly #taken: Rectangle[] = [];

  constructor(drawing: Drawing, readonly cell: number) {
    this.#columns = Math.ceil(drawing.size[0] / cell);
    this.#rows = Math.ceil(drawing.size[1] / cell);
    this.#sums = new Uint32Array((this.#columns + 1) * (this.#rows + 1));
    const [length, width] = drawing.car;
    for (const [x, y, angle] of Object.values(drawing.routes).flat()) this.#mark(x, y, length / 2, width / 2, angle);
    for (const { x, y } of Object.values(drawing.cities)) this.#mark(x, y, drawing.dot, drawing.dot, 0);
    this.#sumUp();
  }

  take(part: Rectangle): void {
    this.#taken.push(part);
  }

  /** Whether a rectangle is on the board, and nothing is in it. */
  isFree(left: number, top: number, right: number, bottom: number): boolean {
    const [a, c] = [Math.floor(left / this.cell), Math.ceil(right / this.cell)];
    const [b, d] = [Math.floor(top / this.cell), Math.ceil(bottom / this.cell)];
    if (a < 1 || b < 1 || c >= this.#columns || d >= this.#rows) return false;
    if (this.#upTo(c, d) - this.#upTo(a, d) - this.#upTo(c, b) + this.#upTo(a, b) > 0) return false;
    return this.#taken.every(([l, t, r, u]) => left > r || right < l || top > u || bottom < t);
  }

  #upTo(column: number, row: number): number {
    return this.#sums[row * (this.#columns + 1) + column]!;
  }

  /** Mark the cells of a turned rectangle, and those around it. */
  #mark(x: number, y: number, along: number, aside: number, angle: number): void {
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const reach = Math.hypot(along, aside) + this.cell;
    const column = (at: number): number => between(0, Math.round(at / this.cell), this.#columns - 1);
    const row = (at: number): number => between(0, Math.round(at / this.cell), this.#rows - 1);
    for (let j = row(y - reach); j <= row(y + reach); j++) {
      for (let i = column(x - reach); i <= column(x + reach); i++) {
        const [dx, dy] = [(i + 0.5) * this.cell - x, (j + 0.5) * this.cell - y];
        const isIn = Math.abs(dx * cos + dy * sin) < along + this.cell && Math.abs(dy * cos - dx * sin) < aside + this.cell;
        if (isIn) this.#sums[(j + 1) * (this.#columns + 1) + i + 1] = 1;
      }
    }
  }

  #sumUp(): void {
    for (let row = 1; row <= this.#rows; row++) {
      let sum = 0;
      for (let column = 1; column <= this.#columns; column++) {
        const at = row * (this.#columns + 1) + column;
        sum += this.#sums[at]!;
        this.#sums[at] = sum + this.#sums[at - this.#columns - 1]!;
      }
    }
  }
}
