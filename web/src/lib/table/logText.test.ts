import { expect, test } from "vitest";
import type { EditionInfo, Event, Told } from "../messages";
import { EditionIndex } from "./editionIndex";
import { tell, Teller } from "./logText";
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
const editionIndex = new EditionIndex(edition);
const moved = (n: number, seat: number, ...events: [string, Record<string, unknown>][]): Told => ({
  n,
  kind: "moved",
  at: 0,
  seat,
  events: events.map(([kind, details]): Event => ({ kind, seat, details })),
});
const texts = (entries: Told[], you: number | null): string[] =>
  new Teller().tellAll(entries, { editionIndex, you, names: ["Ann", "Bob"] }).map((line) => spoken(line.parts, editionIndex));

test("a claim shows its payment", () => {
  const entry = moved(1, 1, ["claimed", { route: "CHI-PIT", card: "black", locos: 1, points: 4 }]);
  expect(texts([entry], 0)).toEqual(["Bob claimed Chicago – Pittsburgh with 2 black cards and 1 locomotive: 4 points."]);
  expect(texts([entry], 1)).toEqual(["You claimed Chicago – Pittsburgh with 2 black cards and 1 locomotive: 4 points."]);
});

test("hidden information is not shown", () => {
  expect(texts([moved(1, 1, ["drew", { card: null }])], 0)).toEqual(["Bob drew a card."]);
  expect(texts([moved(1, 0, ["drew", { card: "red" }])], 0)).toEqual(["You drew 1 red card."]);
});

test("a replay names what was hidden", () => {
  const open = (...events: [string, Record<string, unknown>][]): string[] =>
    tell(moved(1, 1, ...events), { editionIndex, you: null, names: ["Ann", "Bob"], isOpen: true }, null).map((line) => spoken(line.parts, editionIndex));
  expect(open(["drew", { card: "red" }])).toEqual(["Bob drew 1 red card from the deck."]);
  expect(open(["kept", { ticket: "CHI-PIT" }])).toEqual(["Bob kept Chicago – Pittsburgh."]);
});

test("tickets are combined in one line, and named only for their owner", () => {
  expect(texts([moved(1, 1, ["kept", { ticket: null }], ["kept", { ticket: null }])], 0)).toEqual(["Bob kept 2 tickets."]);
  expect(texts([moved(1, 1, ["kept", { ticket: "CHI-PIT" }])], 1)).toEqual(["You kept Chicago – Pittsburgh."]);
});

test("the log shows at once who has chosen, and which tickets only after all have", () => {
  const alone = (mask: number | null): Told => moved(1, 0, ["chose", { mask }]);
  expect(texts([alone(3)], 0)).toEqual(["You have chosen your tickets."]);
  expect(texts([alone(null)], 1)).toEqual(["Ann has chosen tickets."]);
  const last = moved(2, 0, ["chose", { mask: 1 }], ["kept", { ticket: "CHI-PIT" }]);
  expect(texts([last], 0)).toEqual(["You kept Chicago – Pittsburgh."]);
});

test("a player who declines their own request withdraws it", () => {
  const asked: Told = { n: 1, kind: "undo asked", at: 0, seat: 0, move: 1 };
  const no = (seat: number): Told => ({ n: 2, kind: "undo answered", at: 0, seat, move: 0 });
  expect(texts([asked, no(1)], 0)).toEqual(["You asked to undo a move.", "Bob declined the undo."]);
  expect(texts([asked, no(0)], 0)).toEqual(["You asked to undo a move.", "You withdrew the request."]);
});

test("invitations, devices and bots are shown to the players concerned", () => {
  const invited: Told = { n: 1, kind: "invited", at: 0, seat: 1, move: 0 };
  expect(texts([invited], 0)).toEqual(["You made a new invitation for Bob."]);
  expect(texts([invited], 1)).toEqual(["Ann made a new invitation for your seat. If you did not expect that, ask why."]);
  expect(texts([invited], null)).toEqual(["Ann made a new invitation for Bob."]);
  const added = (move: number): Told => ({ n: 1, kind: "device added", at: 0, seat: 1, move });
  expect(texts([added(2)], 0)).toEqual(["Bob now plays on 2 devices."]);
  expect(texts([added(1)], 0)).toEqual(["The new invitation for Bob was accepted; only that device has the seat now."]);
  const seated = (move: number | null): Told => ({ n: 1, kind: "bot seated", at: 0, seat: 1, move });
  expect(texts([seated(0)], 1)).toEqual(["Ann let a bot take over for you."]);
  expect(texts([seated(0)], 0)).toEqual(["You let a bot take over for Bob."]);
  expect(texts([seated(null)], 0)).toEqual(["A bot took over for Bob."]);
});

test("entries lost by the server are reported", () => {
  expect(texts([{ n: 1, kind: "restored", at: 0, move: 2 }], 0)).toEqual([
    "The server lost the last 2 entries of the game and continues from the entry before them.",
  ]);
});

test("an entry that arrives again with more in it replaces the first", () => {
  const teller = new Teller();
  const reader = { editionIndex, you: 0, names: ["Ann", "Bob"] };
  const started = (card: string | null): Told => ({ ...moved(0, 0, ["drew", { card }]), kind: "started" });
  expect(teller.tellAll([started(null)], reader).length).toBe(1);
  expect(teller.tellAll([started("red")], reader).length).toBe(2);
});

test("cards have the names of the edition", () => {
  const wiped = moved(1, 0, ["wiped", {}]);
  const taxis = new EditionIndex({ ...edition, locomotive_word: "taxi", piece_word: "taxi" });
  const said = (its: EditionIndex): string[] =>
    new Teller().tellAll([wiped], { editionIndex: its, you: 0, names: [] }).map((line) => spoken(line.parts, its));
  expect(said(editionIndex)).toEqual(["Three locomotives face up: the whole row is replaced."]);
  expect(said(taxis)).toEqual(["Three taxi cards face up: the whole row is replaced."]);
});

test("undone entries are marked", () => {
  const lines = new Teller().tellAll(
    [moved(1, 0, ["took", { slot: 0, card: "red" }]), moved(2, 0, ["passed", {}]), { n: 3, kind: "undone", at: 0, seat: 0, move: 1 }],
    { editionIndex, you: null, names: ["Ann", "Bob"] },
  );
  expect(lines.map((line) => line.isUndone)).toEqual([false, true, false]);
});

test("lines stay the same objects until something about them changes", () => {
  const teller = new Teller();
  const reader = { editionIndex, you: null, names: ["Ann", "Bob"] };
  const entries = [moved(1, 0, ["took", { slot: 0, card: "red" }]), moved(2, 0, ["passed", {}])];
  const before = teller.tellAll(entries, reader);
  const after = teller.tellAll([...entries, { n: 3, kind: "undone", at: 0, seat: 0, move: 1 }], { ...reader });
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(teller.tellAll(entries, { ...reader, names: ["Eve", "Bob"] })[0]?.parts).not.toEqual(before[0]?.parts);
});
