import { expect, test } from "vitest";
import { held, moved, showing, WHOLE, zoomed } from "./camera";

const box = { width: 800, height: 600 };

test("a point stays where it is while coming closer", () => {
  const near = zoomed(WHOLE, box, 2, 200, 150);
  expect(near).toEqual({ x: -200, y: -150, k: 2 });
});

test("the board cannot be left, nor be smaller than what fits", () => {
  expect(moved({ x: 0, y: 0, k: 2 }, box, 500, -5000)).toEqual({ x: 0, y: -600, k: 2 });
  expect(zoomed({ x: -10, y: -10, k: 1.2 }, box, 0.1, 0, 0)).toEqual({ x: 0, y: 0, k: 1 });
  expect(held({ x: 0, y: 0, k: 99 }, box).k).toBe(8);
});

test("a point that is out of sight is brought into view", () => {
  const camera = showing({ x: 0, y: 0, k: 4 }, box, 700, 500);
  const [x, y] = [camera.x + 700 * 4, camera.y + 500 * 4];
  expect(x).toBeGreaterThan(0);
  expect(x).toBeLessThan(box.width);
  expect(y).toBeLessThan(box.height);
  expect(showing(camera, box, 700, 500)).toEqual(camera);
});
