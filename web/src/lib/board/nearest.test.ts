import { expect, test } from "vitest";
import type { Drawing } from "./drawing";
import { middleOf, routeAt, stopTowards } from "./nearest";

const drawing: Drawing = {
  size: [200, 100],
  car: [30, 10],
  cities: new Map(),
  routes: new Map([
    ["A-B/red", [{ x: 50, y: 50, angle: 0 }, { x: 82, y: 50, angle: 0 }]],
    ["A-B/blue", [{ x: 50, y: 62, angle: 0 }, { x: 82, y: 62, angle: 0 }]],
    ["C-D", [{ x: 150, y: 50, angle: 90 }]],
  ]),
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
  expect(middleOf(drawing.routes.get("A-B/red")!)).toEqual({ x: 66, y: 50 });
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
