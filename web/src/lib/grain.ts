/** Paper grain: fibres and specks on a square that repeats. They are plain strokes, because filters are slow to draw. */

export const GRAIN_SIZE = 144;

/** Return strokes spread over the square; the same seed gives the same ones. */
export function grainPath(count: number, longest: number, seed: number): string {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let path = "";
  for (let i = 0; i < count; i += 1) {
    const [x, y, turn, length] = [random() * GRAIN_SIZE, random() * GRAIN_SIZE, random() * Math.PI, 0.3 + random() ** 3 * longest];
    path += `M${x.toFixed(1)} ${y.toFixed(1)}l${(Math.cos(turn) * length).toFixed(1)} ${(Math.sin(turn) * length).toFixed(1)}`;
  }
  return path;
}

export const DARK_GRAIN = grainPath(520, 3.2, 1869);
export const LIGHT_GRAIN = grainPath(380, 4.5, 1910);

/** Return the grain as a value for `background-image`. */
export function grainImage(): string {
  const stroke = (path: string, colour: string, opacity: number): string =>
    `<path d="${path}" stroke="${colour}" stroke-opacity="${opacity}" stroke-width=".7" stroke-linecap="round"/>`;
  const picture = stroke(DARK_GRAIN, "#5a4320", 0.07) + stroke(LIGHT_GRAIN, "#fff", 0.14);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${GRAIN_SIZE}" height="${GRAIN_SIZE}">${picture}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}
