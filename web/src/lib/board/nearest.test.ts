import { expect, test } from "vitest";
import type { Drawing } from "./line";
import { middleOf, stopTowards, thingAt } from "./nearest";

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

const routeAt = (on: Drawing, x: number, y: number, reach: number) => thingAt(on, x, y, { route: reach, city: 0 }).route;

test("the lane that is hit better is meant", () => {
  expect(routeAt(drawing, 60, 54, 20)).toBe("A-B/red");
  expect(routeAt(drawing, 60, 58, 20)).toBe("A-B/blue");
});

test("a tap beside a route selects it, a tap far away selects none", () => {
  expect(routeAt(drawing, 140, 60, 10)).toBe("C-D");
  expect(routeAt(drawing, 120, 10, 10)).toBeNull();
});

test("an upright space is longest vertically", () => {
  expect(routeAt(drawing, 150, 64, 1)).toBe("C-D");
  expect(routeAt(drawing, 158, 50, 1)).toBeNull();
});

test("the centre of a route is between its spaces", () => {
  expect(middleOf(drawing.routes["A-B/red"]!)).toEqual({ x: 66, y: 50 });
});

test("an arrow key moves to the nearest route in its direction", () => {
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

test("a city is meant where it is nearer than any space, and never on a space", () => {
  const cities = { A: { x: 27, y: 50, label: { x: 0, y: 0, anchor: "start", lines: [], width: 0 } } } as unknown as Drawing["cities"];
  const at = (x: number, y: number, city = 20) => thingAt({ ...drawing, cities }, x, y, { route: 20, city });
  expect(at(28, 50)).toEqual({ route: null, city: "A" });
  expect(at(22, 42)).toEqual({ route: null, city: "A" });
  expect(at(36, 50)).toEqual({ route: "A-B/red", city: null });
  expect(at(50, 44)).toEqual({ route: "A-B/red", city: null });
  expect(at(18, 40, 3)).toEqual({ route: "A-B/red", city: null });
  expect(at(120, 5)).toEqual({ route: null, city: null });
});
