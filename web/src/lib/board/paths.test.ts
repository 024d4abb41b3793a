import { expect, test } from "vitest";
import type { RouteInfo } from "../wire";
import { pathBetween } from "./paths";

const route = (a: string, b: string, length: number): RouteInfo => ({ name: `${a}-${b}`, a, b, length, colour: "grey", twin: null, points: 0 });
const routes = [route("A", "B", 2), route("B", "C", 2), route("A", "C", 6), route("D", "E", 1)];

test("the path with the fewest spaces is found", () => {
  expect(pathBetween(routes, "A", "C")).toEqual(["A-B", "B-C"]);
  expect(pathBetween(routes, "C", "A")).toEqual(["B-C", "A-B"]);
});

test("cities that are not joined have no path", () => {
  expect(pathBetween(routes, "A", "E")).toEqual([]);
});
