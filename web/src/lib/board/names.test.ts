import { expect, test } from "vitest";
import type { Drawing } from "./line";
import { localise, placeNames } from "./names";

const city = (x: number, y: number, name = "Name") => ({
  x,
  y,
  label: { x: x + 5, y, anchor: "start" as const, lines: [name], width: name.length * 6 },
});
const board = (cities: Drawing["cities"], routes: Drawing["routes"] = {}): Drawing =>
  ({ size: [400, 300], car: [30, 10], dot: 4, text: 10, leading: 11, land: [], cities, routes }) as unknown as Drawing;

test("a name is written beside its city, and stays on the board", () => {
  const names = placeNames(board({ A: city(200, 150), B: city(395, 50) }), ["A", "B"], 10);
  expect(names.get("A")).toMatchObject({ lines: ["Name"], end: null });
  expect(names.get("A")!.x).toBeGreaterThan(200);
  expect(names.get("B")!.x).toBeLessThan(395);
});

test("a name covers neither spaces nor cities nor other names", () => {
  const wall = Array.from({ length: 4 }, (_, i): [number, number, number] => [222 + 31 * i, 150, 0]);
  const names = placeNames(board({ A: city(200, 150), B: city(170, 150) }, { "A-B": wall }), ["A", "B"], 10);
  const { y } = names.get("A")!;
  expect(y + 2.5 < 145 || y - 7.5 > 155).toBe(true);
  expect(names.get("B")).not.toEqual(names.get("A"));
});

test("if all space nearby is taken, a line leads to the name", () => {
  const ring = Array.from({ length: 12 }, (_, i): [number, number, number] => {
    const angle = (i * Math.PI) / 6;
    return [200 + 18 * Math.cos(angle), 150 + 18 * Math.sin(angle), i * 30];
  });
  expect(placeNames(board({ A: city(200, 150) }, { ring }), ["A"], 10).get("A")!.end).not.toBeNull();
});

test("a name without space nearby is omitted", () => {
  expect(placeNames(board({ A: city(200, 150) }), ["A", "X"], 10, [[50, 20, 350, 280]]).size).toBe(0);
});

test("a translated name gets a place of its own, and the other names keep theirs", () => {
  const drawing = board({ A: city(200, 150), B: city(230, 150) });
  const { drawing: local, placed } = localise(drawing, new Map([["A", "Long name"]]), (name) => name.length * 0.6);
  expect(local.cities["A"]!.label.lines).toEqual(["Long name"]);
  expect(local.cities["B"]).toBe(drawing.cities["B"]);
  const { x, y } = placed.get("A")!;
  expect(x + 27 < 235 || y + 2.5 < 142.5 || y - 7.5 > 152.5).toBe(true); // not over the name of B
  expect([...placed.keys()]).toEqual(["A"]);
  expect(localise(drawing, new Map(), () => 1).drawing).toBe(drawing);
});
