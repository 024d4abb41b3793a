import { expect, test } from "vitest";
import type { EditionInfo, Ending, SeatView } from "../wire";
import { Atlas } from "./atlas";
import { ceremony } from "./ceremony";

const edition = {
  colours: ["red"],
  route_points: [1, 2],
  cities: [],
  routes: [
    { name: "A-B", a: "A", b: "B", length: 2, colour: "red", twin: null, points: 2 },
    { name: "B-C", a: "B", b: "C", length: 1, colour: "red", twin: null, points: 1 },
  ],
  tickets: [
    { name: "A-C", a: "A", b: "C", points: 9 },
    { name: "A-B", a: "A", b: "B", points: 4 },
    { name: "A-D", a: "A", b: "D", points: 5 },
  ],
  moves: {},
} as unknown as EditionInfo;
const ending: Ending = {
  winners: [0],
  reason: "",
  tie_break: "",
  terms: ["routes", "longest path"],
  points: [[3, 10], [0, 0]],
  totals: [26, -5],
  tickets: [["A-C", "A-B"], ["A-D"]],
  longest: [["A-B", "B-C"], []],
  seed: "",
};

const seat = (...routes: string[]) => ({ routes, completed: [] }) as unknown as SeatView;

test("the last comes first, and the longest path at the end", () => {
  const atlas = new Atlas(edition);
  const steps = ceremony(ending, [seat("A-B", "B-C"), seat()], atlas);
  expect(steps.map((step) => [step.seat, step.ticket, step.points])).toEqual([
    [1, "A-D", -5],
    [0, "A-B", 4],
    [0, "A-C", 9],
    [0, null, 10],
  ]);
  expect(steps[2]?.routes).toEqual(["A-B", "B-C"]);
  expect(steps[3]?.length).toBe(3);
});
