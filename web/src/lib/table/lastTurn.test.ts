import { expect, test } from "vitest";
import type { EditionInfo, Event, Told } from "../messages";
import { EditionIndex } from "./editionIndex";
import { claimedSince, describeTurn, lastTurns } from "./lastTurn";
import { spoken } from "./phrase";

const editionIndex = new EditionIndex({
  colours: ["black", "red"],
  route_points: [1, 2, 4],
  locomotive_word: "locomotive",
  piece_word: "train",
  cities: [
    { code: "CHI", name: "Chicago", x: 0, y: 0, marks: [] },
    { code: "PIT", name: "Pittsburgh", x: 1, y: 0, marks: [] },
  ],
  routes: [{ name: "CHI-PIT", a: "CHI", b: "PIT", length: 3, colour: "black", twin: null, points: 4 }],
  tickets: [],
  moves: {},
} as unknown as EditionInfo);
let number = 0;
const moved = (seat: number, ...events: [string, Record<string, unknown>, number?][]): Told => ({
  n: number++,
  kind: "moved",
  at: 0,
  seat,
  events: events.map(([kind, details, whose = seat]): Event => ({ kind, seat: whose, details })),
});
const undone = (count: number): Told => ({ n: number++, kind: "undone", at: 0, seat: 0, move: count });
const words = (entries: Told[], seat: number): string =>
  spoken(describeTurn(lastTurns(entries, 2)[seat]!, editionIndex), editionIndex);
const next = (seat: number): [string, Record<string, unknown>, number] => ["turn began", {}, seat];
const claim: [string, Record<string, unknown>] = ["claimed", { route: "CHI-PIT", card: "black", locos: 0, points: 4 }];

test("both cards of a turn are shown together", () => {
  const entries = [moved(1, ["took", { card: "red", slot: 0 }]), moved(1, ["drew", { card: null }], next(0))];
  expect(words(entries, 1)).toBe("took 1 red card, drew a card");
});

test("a turn replaces the previous one, also of a seat that moves twice in a row", () => {
  const entries = [moved(1, ["drew", {}]), moved(1, ["drew", {}], next(1)), moved(1, claim, next(0))];
  expect(words(entries.slice(0, 2), 1)).toBe("drew 2 cards");
  expect(words(entries, 1)).toBe("claimed Chicago – Pittsburgh");
});

test("an undone turn is not shown", () => {
  expect(words([moved(0, ["drew", {}], next(0)), moved(0, claim, next(1)), undone(1)], 0)).toBe("drew a card");
});

test("claims of others are new until the reader moves", () => {
  const entries = [moved(0, ["drew", {}], next(1)), moved(1, claim, next(0))];
  expect(claimedSince(entries, 0)).toEqual(new Set(["CHI-PIT"]));
  expect(claimedSince([...entries, moved(0, ["drew", {}])], 0)).toEqual(new Set());
  expect(claimedSince([...entries, undone(1)], 0)).toEqual(new Set());
});
