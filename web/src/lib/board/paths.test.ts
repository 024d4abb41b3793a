import { expect, test } from "vitest";
import type { RouteInfo } from "../messages";
import { inOrder, pathBetween } from "./paths";

const route = (a: string, b: string, length: number): RouteInfo => ({ name: `${a}-${b}`, a, b, length, colour: "grey", twin: null, points: 0 });
const routes = [route("A", "B", 2), route("B", "C", 2), route("A", "C", 6), route("D", "E", 1)];

test("the path with the fewest spaces is found", () => {
  expect(pathBetween(routes, "A", "C")).toEqual(["A-B", "B-C"]);
  expect(pathBetween(routes, "C", "A")).toEqual(["B-C", "A-B"]);
});

test("unconnected cities have no path", () => {
  expect(pathBetween(routes, "A", "E")).toEqual([]);
});

test("a path is put into the order in which it runs, through a loop as well", () => {
  const line = [route("C", "D", 1), route("A", "B", 1), route("B", "C", 1)];
  expect(inOrder(line)).toEqual(["A-B", "B-C", "C-D"].reverse());
  const loop = [route("B", "C", 1), route("D", "B", 1), route("A", "B", 1), route("C", "D", 1)];
  const round = ["B-C", "C-D", "D-B"];
  const valid = [round, [...round].reverse()].flatMap((way) => [["A-B", ...way], [...way, "A-B"]]);
  expect(valid).toContainEqual(inOrder(loop));
  expect(inOrder([])).toEqual([]);
});
