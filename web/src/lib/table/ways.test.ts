import { expect, test } from "vitest";
import type { EditionInfo, TableView } from "../messages";
import { EditionIndex } from "./editionIndex";
import { waysOf } from "./ways";

const route = (a: string, b: string, length: number): object => ({ name: `${a}-${b}`, a, b, length, colour: "red", twin: null, points: length });
const editionIndex = new EditionIndex({
  colours: ["red"],
  route_points: [1],
  cities: [],
  routes: [route("A", "B", 1), route("B", "C", 2), route("A", "D", 3), route("D", "C", 4)],
  tickets: [{ name: "A-C", a: "A", b: "C", points: 9 }],
  moves: {},
} as unknown as EditionInfo);

function wayAt(own: string[], theirs: string[], closed: string[] = [], pieces = 20): object | undefined {
  const seats = [own, theirs].map((routes) => ({ routes, pieces }));
  return waysOf(["A-C"], { seats, closed } as unknown as TableView, 0, editionIndex).get("A-C");
}

test("a ticket needs the routes of the shortest path that are not owned", () => {
  expect(wayAt([], [])).toEqual({ ticket: "A-C", points: 9, pieces: 3, routes: ["A-B", "B-C"] });
  expect(wayAt(["A-B"], [])).toMatchObject({ pieces: 2, routes: ["B-C"] });
  expect(wayAt(["A-B", "B-C"], [])).toMatchObject({ pieces: 0, routes: [] });
});

test("routes of others and closed lanes are avoided, until there is no way", () => {
  expect(wayAt(["A-B"], ["B-C"])).toMatchObject({ pieces: 7, routes: ["A-D", "D-C"] });
  expect(wayAt([], [], ["B-C"])).toMatchObject({ pieces: 7 });
  expect(wayAt([], ["B-C"], ["D-C"])).toMatchObject({ pieces: null, routes: [] });
});

test("a route that is longer than the pieces left cannot be part of a way", () => {
  expect(wayAt([], ["B-C"], [], 3)).toMatchObject({ pieces: null });
});
