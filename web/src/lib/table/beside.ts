/** Where a panel about a part of the board goes: near a point, inside a frame, and over nothing that it is about. */
import type { Point } from "./table.svelte";

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Pixels between positions that are tried, and between the panel and what it must not cover. */
const STEP = 8;
const GAP = 10;

/**
 * The top left corner of a panel whose nearest edge is as close to a point as the obstacles allow. If all of the frame
 * is taken, the position that covers the fewest of them is used.
 */
export function placeBeside(near: Point, size: { width: number; height: number }, frame: Area, obstacles: Area[]): Point {
  const [right, bottom] = [Math.max(frame.left, frame.right - size.width), Math.max(frame.top, frame.bottom - size.height)];
  let best: Point = { x: frame.left, y: frame.top };
  let least = Infinity;
  for (const x of positions(frame.left, right)) {
    for (const y of positions(frame.top, bottom)) {
      const covered = obstacles.filter((area) => x < area.right + GAP && x + size.width > area.left - GAP && y < area.bottom + GAP && y + size.height > area.top - GAP).length;
      const away = Math.hypot(outside(near.x, x, x + size.width), outside(near.y, y, y + size.height));
      // Of positions at the same distance, one whose middle is nearer looks less random.
      const middle = Math.hypot(near.x - x - size.width / 2, near.y - y - size.height / 2);
      const cost = covered * 1e6 + away + middle / 100;
      if (cost < least) [best, least] = [{ x, y }, cost];
    }
  }
  return best;
}

function positions(from: number, to: number): number[] {
  const steps = Math.ceil((to - from) / STEP);
  return Array.from({ length: steps + 1 }, (_, i) => Math.min(to, from + i * STEP));
}

/** How far a number is outside an interval. */
function outside(at: number, low: number, high: number): number {
  return Math.max(low - at, 0, at - high);
}
