import { expect, test } from "vitest";
import { spaceStrokes, spacing } from "./spaces";

test("spaces lie along their route", () => {
  expect(spaceStrokes([0, 0, 10, 0, 20, 0], 8, [])).toBe("M-4.0 0.0L4.0 0.0M6.0 0.0L14.0 0.0M16.0 0.0L24.0 0.0");
});

test("a single space lies between the two nearest cities", () => {
  const cities: [number, number][] = [
    [90, 90],
    [5, -10],
    [5, 10],
  ];
  expect(spaceStrokes([5, 0], 8, cities)).toBe("M5.0 -4.0L5.0 4.0");
});

test("the spacing is that of most routes", () => {
  expect(spacing([[1, 1], [0, 0, 30, 0], [0, 0, 0, 30], [0, 0, 99, 0]])).toBe(30);
});
