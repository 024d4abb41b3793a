import { expect, test } from "vitest";
import { type Area, placeBeside } from "./beside";

const frame: Area = { left: 100, top: 50, right: 900, bottom: 650 };
const size = { width: 300, height: 200 };
const around = (x: number, y: number): Area => ({ left: x - 10, top: y - 10, right: x + 10, bottom: y + 10 });
const covers = (at: { x: number; y: number }, area: Area): boolean =>
  at.x < area.right && at.x + size.width > area.left && at.y < area.bottom && at.y + size.height > area.top;

test("a panel is close to its point, covers nothing of its route, and stays in the frame", () => {
  const route = Array.from({ length: 6 }, (_, i) => around(300 + i * 30, 200 + i * 30));
  for (const near of [{ x: 300, y: 200 }, { x: 450, y: 350 }, { x: 390, y: 290 }]) {
    const at = placeBeside(near, size, frame, route);
    expect(route.some((space) => covers(at, space))).toBe(false);
    expect(at.x).toBeGreaterThanOrEqual(frame.left);
    expect(at.y).toBeGreaterThanOrEqual(frame.top);
    expect(at.x + size.width).toBeLessThanOrEqual(frame.right);
    expect(at.y + size.height).toBeLessThanOrEqual(frame.bottom);
    const away = Math.hypot(Math.max(at.x - near.x, 0, near.x - at.x - size.width), Math.max(at.y - near.y, 0, near.y - at.y - size.height));
    expect(away).toBeLessThan(90);
  }
});

test("in a corner it goes to the side that is left", () => {
  const at = placeBeside({ x: 890, y: 640 }, size, frame, [around(890, 640)]);
  expect(covers(at, around(890, 640))).toBe(false);
});

test("where everything is taken, it still lies in the frame", () => {
  const at = placeBeside({ x: 500, y: 300 }, size, frame, [frame]);
  expect(at.x + size.width).toBeLessThanOrEqual(frame.right);
});
