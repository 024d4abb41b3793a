import { expect, test } from "vitest";
import type { Drawing } from "./drawing";
import { middleOf, routeAt, stopTowards } from "./nearest";

const drawing: Drawing = {
  format: 1,
  board: "test",
  digest: "",
  credits: [],
  size: [200, 100],
  car: [30, 10],
  dot: 6,
  text: 12,
  leading: 13,
  cities: {},
  routes: {
    "A-B/red": [
      [50, 50, 0],
      [82, 50, 0],
    ],
    "A-B/blue": [
      [50, 62, 0],
      [82, 62, 0],
    ],
    "C-D": [[150, 50, 90]],
  },
  land: [],
};

test("the lane that is hit better is meant", () => {
  expect(routeAt(drawing, 60, 54, 20)).toBe("A-B/red");
  expect(routeAt(drawing, 60, 58, 20)).toBe("A-B/blue");
});

test("a finger beside a route still means it, one far away means none", () => {
  expect(routeAt(drawing, 140, 60, 10)).toBe("C-D");
  expect(routeAt(drawing, 120, 10, 10)).toBeNull();
});

test("a space that stands upright is long from top to bottom", () => {
  expect(routeAt(drawing, 150, 64, 1)).toBe("C-D");
  expect(routeAt(drawing, 158, 50, 1)).toBeNull();
});

test("the middle of a route lies between its spaces", () => {
  expect(middleOf(drawing.routes["A-B/red"]!)).toEqual({ x: 66, y: 50 });
});

test("an arrow leads to what lies that way", () => {
  const stops = [
    { name: "here", x: 0, y: 0 },
    { name: "near", x: 30, y: 5 },
    { name: "far", x: 60, y: 0 },
    { name: "below", x: 3, y: 20 },
  ];
  expect(stopTowards(stops, stops[0]!, "right")?.name).toBe("near");
  expect(stopTowards(stops, stops[0]!, "down")?.name).toBe("below");
  expect(stopTowards(stops, stops[0]!, "left")).toBeNull();
});
