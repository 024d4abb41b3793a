import { expect, test } from "vitest";
import type { EditionInfo, Ending } from "../messages";
import { readEvent, type RecordAction } from "../verify/record";
import { EditionIndex } from "./editionIndex";
import { bestMoments } from "./moments";

const route = (a: string, b: string, length: number): object => ({ name: `${a}-${b}`, a, b, length, colour: "red", twin: null, points: length });
const editionIndex = new EditionIndex({
  colours: ["red"],
  route_points: [1, 2, 4, 7],
  cities: ["A", "B", "C", "D"].map((code) => ({ code, name: code, x: 0, y: 0, marks: [] })),
  routes: [route("A", "B", 1), route("B", "C", 2), route("A", "D", 4), route("D", "C", 4)],
  tickets: [{ name: "A-C", a: "A", b: "C", points: 9 }],
  moves: {},
} as unknown as EditionInfo);
const ending = { tickets: [["A-C"], []] } as unknown as Ending;
const turn = (seat: number, ...events: string[]): RecordAction => ({
  n: 0,
  seat,
  events: [...events, `turn ended seat=${seat}`].map(readEvent),
});
const claim = (seat: number, name: string, locos = 0): RecordAction => turn(seat, `claimed seat=${seat} route=${name} card=red locos=${locos}`);
const draw = (seat: number, ...cards: string[]): RecordAction => turn(seat, ...cards.map((card) => `drew seat=${seat} card=${card}`));
const moments = (actions: RecordAction[], ...hands: Record<string, number>[]) =>
  bestMoments(actions, hands.length ? hands : [{ red: 9 }, { red: 9 }], ending, editionIndex);

test("the block that hurt is the claim that lengthened another seat's way most", () => {
  expect(moments([claim(0, "A-B"), claim(1, "B-C")])).toContainEqual({ kind: "block", seat: 1, victim: 0, route: "B-C", ticket: "A-C", cost: 6 });
});

test("a claim that makes a ticket impossible hurts more than any detour", () => {
  expect(moments([claim(1, "B-C"), claim(1, "D-C")])).toContainEqual({ kind: "block", seat: 1, victim: 0, route: "D-C", ticket: "A-C", cost: null });
});

test("an own claim is no block", () => {
  expect(moments([claim(0, "A-B")])).toEqual([{ kind: "longest", seat: 0, route: "A-B", length: 1 }]);
});

test("the luckiest draw is the card without which the best route could not have been claimed next", () => {
  const lucky = { kind: "draw", seat: 1, card: "red", route: "A-D" };
  const other = draw(0, "red");
  expect(moments([draw(1, "red", "blue"), other, claim(1, "A-D")], {}, { red: 3 })).toContainEqual(lucky);
  expect(moments([draw(1, "red", "loco"), claim(1, "A-D", 1)], {}, { red: 2 })).toContainEqual({ ...lucky, card: "loco" });
});

test("a draw does not count if the cards were there anyway, were taken face up, or came turns before", () => {
  const kinds = (...actions: RecordAction[]): string[] => moments(actions, {}, { red: 3 }).map(({ kind }) => kind);
  expect(kinds(draw(1, "red", "red"), claim(1, "A-D"))).not.toContain("draw");
  expect(kinds(turn(1, "took seat=1 card=red"), claim(1, "A-D"))).not.toContain("draw");
  expect(kinds(draw(1, "red"), turn(1, "took seat=1 card=blue"), claim(1, "A-D"))).not.toContain("draw");
});
