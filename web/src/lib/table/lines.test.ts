import { expect, test } from "vitest";
import type { EditionInfo, Event, Told } from "../wire";
import { Atlas } from "./atlas";
import { Teller } from "./lines";
import { spoken } from "./phrase";

const edition = {
  colours: ["black", "red"],
  route_points: [1, 2, 4],
  locomotive_word: "locomotive",
  piece_word: "train",
  cities: [
    { code: "CHI", name: "Chicago", x: 0, y: 0, marks: [] },
    { code: "PIT", name: "Pittsburgh", x: 1, y: 0, marks: [] },
  ],
  routes: [{ name: "CHI-PIT", a: "CHI", b: "PIT", length: 3, colour: "black", twin: null, points: 4 }],
  tickets: [{ name: "CHI-PIT", a: "CHI", b: "PIT", points: 5 }],
  moves: {},
} as unknown as EditionInfo;
const atlas = new Atlas(edition);
const moved = (n: number, seat: number, ...events: [string, Record<string, unknown>][]): Told => ({
  n,
  kind: "moved",
  at: 0,
  seat,
  events: events.map(([kind, details]): Event => ({ kind, seat, details })),
});
const texts = (entries: Told[], you: number | null): string[] =>
  new Teller().tellAll(entries, { atlas, you, names: ["Ann", "Bob"] }).map((line) => spoken(line.parts, atlas));

test("a claim tells what was paid", () => {
  const entry = moved(1, 1, ["claimed", { route: "CHI-PIT", card: "black", locos: 1, points: 4 }]);
  expect(texts([entry], 0)).toEqual(["Bob claimed Chicago – Pittsburgh with 2 black cards and 1 locomotive: 4 points."]);
  expect(texts([entry], 1)).toEqual(["You claimed Chicago – Pittsburgh with 2 black cards and 1 locomotive: 4 points."]);
});

test("what is hidden is not told", () => {
  expect(texts([moved(1, 1, ["drew", { card: null }])], 0)).toEqual(["Bob drew a card."]);
  expect(texts([moved(1, 0, ["drew", { card: "red" }])], 0)).toEqual(["You drew 1 red card."]);
});

test("tickets are gathered, and named only for their owner", () => {
  expect(texts([moved(1, 1, ["kept", { ticket: null }], ["kept", { ticket: null }])], 0)).toEqual(["Bob kept 2 tickets."]);
  expect(texts([moved(1, 1, ["kept", { ticket: "CHI-PIT" }])], 1)).toEqual(["You kept Chicago – Pittsburgh."]);
});

test("who has chosen is told at once, which tickets only when all have", () => {
  const alone = (mask: number | null): Told => moved(1, 0, ["chose", { mask }]);
  expect(texts([alone(3)], 0)).toEqual(["You have chosen your tickets."]);
  expect(texts([alone(null)], 1)).toEqual(["Ann has chosen tickets."]);
  const last = moved(2, 0, ["chose", { mask: 1 }], ["kept", { ticket: "CHI-PIT" }]);
  expect(texts([last], 0)).toEqual(["You kept Chicago – Pittsburgh."]);
});

test("who says no to their own request withdraws it", () => {
  const asked: Told = { n: 1, kind: "undo asked", at: 0, seat: 0, move: 1 };
  const no = (seat: number): Told => ({ n: 2, kind: "undo answered", at: 0, seat, move: 0 });
  expect(texts([asked, no(1)], 0)).toEqual(["You asked to take back an action.", "Bob does not agree."]);
  expect(texts([asked, no(0)], 0)).toEqual(["You asked to take back an action.", "You do not ask any more."]);
});

test("cards are called as the edition calls them", () => {
  const wiped = moved(1, 0, ["wiped", {}]);
  const taxis = new Atlas({ ...edition, locomotive_word: "taxi" });
  const said = (its: Atlas): string[] =>
    new Teller().tellAll([wiped], { atlas: its, you: 0, names: [] }).map((line) => spoken(line.parts, its));
  expect(said(atlas)).toEqual(["Too many locomotives lay open: the row is dealt anew."]);
  expect(said(taxis)).toEqual(["Too many taxis lay open: the row is dealt anew."]);
});

test("what was taken back is marked", () => {
  const lines = new Teller().tellAll(
    [moved(1, 0, ["took", { slot: 0, card: "red" }]), moved(2, 0, ["passed", {}]), { n: 3, kind: "undone", at: 0, seat: 0, move: 1 }],
    { atlas, you: null, names: ["Ann", "Bob"] },
  );
  expect(lines.map((line) => line.isUndone)).toEqual([false, true, false]);
});

test("lines stay the same objects until something about them changes", () => {
  const teller = new Teller();
  const reader = { atlas, you: null, names: ["Ann", "Bob"] };
  const entries = [moved(1, 0, ["took", { slot: 0, card: "red" }]), moved(2, 0, ["passed", {}])];
  const before = teller.tellAll(entries, reader);
  const after = teller.tellAll([...entries, { n: 3, kind: "undone", at: 0, seat: 0, move: 1 }], { ...reader });
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(teller.tellAll(entries, { ...reader, names: ["Eve", "Bob"] })[0]?.parts).not.toEqual(before[0]?.parts);
});
