import { expect, test } from "vitest";
import type { CityPlace } from "./drawing";
import { nameX, roomyNames } from "./names";

const city = (x: number, y: number, anchor: "start" | "end" = "start"): CityPlace => ({
  x,
  y,
  label: { x, y, anchor, lines: ["Name"], width: 40 },
});
const sizes = { text: 10, leading: 11, growth: 2, width: 400 };

test("a name that has grown stays on the board", () => {
  expect(nameX(city(390, 50), 1, 400)).toBe(390);
  expect(nameX(city(390, 50), 2, 400)).toBeLessThan(400 - 80);
  expect(nameX(city(10, 50, "end"), 2, 400)).toBeGreaterThan(80);
  expect(nameX(city(200, 50), 2, 400)).toBe(200);
});

test("of names that lie in each other's way the first is written", () => {
  const cities = { A: city(100, 50), B: city(110, 55), C: city(100, 150) };
  expect([...roomyNames(cities, ["A", "B", "C"], sizes)]).toEqual(["A", "C"]);
  expect([...roomyNames(cities, ["B", "A", "X"], sizes)]).toEqual(["B"]);
});
