import { expect, test } from "vitest";
import { framing, held, moved, showing, WHOLE, zoomed } from "./camera";

const box = { width: 800, height: 600 };

test("zooming keeps the point under the pointer in place", () => {
  const near = zoomed(WHOLE, box, 2, 200, 150);
  expect(near).toEqual({ x: -200, y: -150, k: 2 });
});

test("the camera stays on the board and does not zoom out beyond it", () => {
  expect(moved({ x: 0, y: 0, k: 2 }, box, 500, -5000)).toEqual({ x: 0, y: -600, k: 2 });
  expect(zoomed({ x: -10, y: -10, k: 1.2 }, box, 0.1, 0, 0)).toEqual({ x: 0, y: 0, k: 1 });
  expect(held({ x: 0, y: 0, k: 99 }, box).k).toBe(8);
});

test("a point out of view is scrolled into view", () => {
  const camera = showing({ x: 0, y: 0, k: 4 }, box, 700, 500);
  const [x, y] = [camera.x + 700 * 4, camera.y + 500 * 4];
  expect(x).toBeGreaterThan(0);
  expect(x).toBeLessThan(box.width);
  expect(y).toBeLessThan(box.height);
  expect(showing(camera, box, 700, 500)).toEqual(camera);
});

test("a rectangle out of view is scrolled into view, zooming out no more than needed", () => {
  const near = { x: -2400, y: -1800, k: 4 };
  const moved = framing(near, box, [20, 20, 100, 80]);
  expect(moved.k).toBe(4);
  for (const [corner, size, at] of [[20, 800, moved.x], [100, 800, moved.x], [20, 600, moved.y], [80, 600, moved.y]] as const) {
    expect(at + corner * 4).toBeGreaterThanOrEqual(0);
    expect(at + corner * 4).toBeLessThanOrEqual(size);
  }
  expect(framing(moved, box, [20, 20, 100, 80])).toEqual(moved);
  const far = framing(near, box, [100, 100, 400, 300]);
  expect(far.k).toBeLessThan(4);
  expect(far.k).toBeGreaterThan(1);
  expect(framing(near, box, [0, 0, 800, 600])).toEqual(WHOLE);
});
