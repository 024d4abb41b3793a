import { expect, test } from "vitest";
import type { EditionInfo, Ending, SeatView } from "../messages";
import { EditionIndex } from "./editionIndex";
import { ceremony, completedBy, totalShown } from "./ceremony";

const edition = {
  colours: ["red"],
  route_points: [1, 2],
  cities: ["A", "B", "C"].map((code) => ({ code, name: code, marks: { A: ["west"], B: ["attraction"], C: ["east"] }[code] ?? [] })),
  rules: { coast_to_coast: ["west", "east"] },
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

test("the last player is scored first, and the longest path at the end", () => {
  const editionIndex = new EditionIndex(edition);
  const steps = ceremony(ending, [seat("A-B", "B-C"), seat()], editionIndex);
  expect(steps.map((step) => [step.seat, step.ticket, step.points])).toEqual([
    [1, "A-D", -5],
    [0, "A-B", 4],
    [0, "A-C", 9],
    [0, null, 10],
  ]);
  expect(steps[2]?.routes).toEqual(["A-B", "B-C"]);
  expect(steps[3]?.length).toBe(3);
});

test("totals grow with each step, up to the final totals", () => {
  const terms = ["routes", "tickets made", "tickets failed", "longest path"];
  const full = { ...ending, terms, points: [[3, 13, 0, 10], [0, 0, -5, 0]] };
  const steps = ceremony(full, [seat("A-B", "B-C"), seat()], new EditionIndex(edition));
  const totals = [0, 1, 2, 3, 4].map((shown) => [0, 1].map((seat) => totalShown(full, steps, shown, seat)));
  expect(totals).toEqual([[3, -5], [7, -5], [16, -5], [26, -5], [26, -5]]);
});

test("the bonus ticket counts, and comes with the path that earned it (J-5)", () => {
  const race = { ...edition, route_points: [] } as unknown as EditionInfo;
  const joined = { ...seat("A-B", "B-C"), completed: ["A-C"], has_bonus_ticket: true };
  const end = { ...ending, terms: ["completed tickets"], points: [[2]], totals: [2], tickets: [[]], longest: [[]] };
  const steps = ceremony(end, [joined], new EditionIndex(race));
  expect(steps.map(({ ticket, isBonus, isGood }) => [ticket, isBonus, isGood])).toEqual([
    ["A-C", false, true],
    [null, true, true],
  ]);
  expect(steps[1]).toMatchObject({ cities: ["A", "C"], routes: ["A-B", "B-C"] });
  expect(completedBy(joined)).toBe(steps.length);
});

test("every term of the score has steps, so that the last total is the final one", () => {
  const terms = ["routes", "tickets made", "tickets failed", "longest path", "globetrotter", "attractions"];
  const full = { ...ending, terms, points: [[3, 13, 0, 10, 15, 1], [0, 0, -5, 0, 0, 0]], totals: [42, -5] };
  const steps = ceremony(full, [seat("B-C", "A-B"), seat()], new EditionIndex(edition));
  expect(steps.slice(-3).map(({ term, points, cities }) => [term, points, cities])).toEqual([
    ["globetrotter", 15, []],
    ["attractions", 1, ["B"]],
    ["longest path", 10, []],
  ]);
  const last = steps.length - 1;
  expect([0, 1].map((seat) => totalShown(full, steps, last, seat))).toEqual(full.totals);
});
