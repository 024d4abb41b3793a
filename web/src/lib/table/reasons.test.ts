import { expect, test } from "vitest";
import type { EditionInfo } from "../messages";
import { EditionIndex } from "./editionIndex";
import { reasonsFor, type Situation } from "./reasons";

const route = (name: string, colour: string, length: number, twin: string | null = null) => {
  const [a, b] = name.slice(0, 3).split("-") as [string, string];
  return { name, a, b, length, colour, twin, points: length * 2 };
};
const cities = { A: "Portland", B: "Salt Lake City", C: "Denver", D: "Omaha" };
const editionIndex = new EditionIndex({
  colours: ["blue", "red"],
  route_points: [1, 2],
  cities: Object.entries(cities).map(([code, name]) => ({ code, name })),
  routes: [route("A-B", "blue", 4), route("B-C", "red", 3, "B-C*"), route("B-C*", "blue", 3, "B-C"), route("C-D", "grey", 2)],
  tickets: [
    { name: "A-C", a: "A", b: "C", points: 11 },
    { name: "A-D", a: "A", b: "D", points: 14 },
  ],
  moves: {},
} as unknown as EditionInfo);

const now: Situation = {
  editionIndex,
  you: 0,
  names: ["Ann", "Ben"],
  hand: { blue: 2, red: 3 },
  open: ["A-C"],
  offer: [],
  ways: new Map([
    ["A-C", { ticket: "A-C", points: 11, pieces: 7, routes: ["A-B", "B-C"] }],
    ["A-D", { ticket: "A-D", points: 14, pieces: 9, routes: ["A-B", "B-C", "C-D"] }],
  ]),
  owners: new Map(),
  closed: new Set(),
  row: ["red"],
  pieces: 20,
};

test("a card is for the route that needs the fewest more of its colour", () => {
  const free = { ...now, closed: new Set(["B-C*"]) };
  expect(reasonsFor(free, { kind: "take", colour: "blue" })).toEqual({
    sentences: ["Blue: you hold 2 of the 4 for Portland – Salt Lake City, which helps complete your ticket Portland – Denver."],
    ticket: "A-C",
  });
  expect(reasonsFor(now, { kind: "take", colour: "blue" }).sentences[0]).toContain("2 of the 3 for Salt Lake City – Denver");
});

test("a card for a route that a rival could claim first names the rival", () => {
  const taken = { ...now, owners: new Map([["B-C*", 1]]), closed: new Set(["B-C"]) };
  expect(reasonsFor(taken, { kind: "take", colour: "blue" }).sentences).toEqual([
    "Blue: you hold 2 of the 4 for Portland – Salt Lake City, and Ben is heading there. The route helps complete your ticket Portland – Denver.",
  ]);
});

test("a card that no ticket needs adds to a set", () => {
  const { sentences, ticket } = reasonsFor(now, { kind: "take", colour: "red" });
  expect(sentences).toEqual(["With it you hold 4 red cards, which pay for a longer route."]);
  expect(ticket).toBeNull();
});

test("a locomotive counts as any colour", () => {
  const { sentences } = reasonsFor(now, { kind: "take" });
  expect(sentences[0]).toBe("A locomotive counts as any colour.");
  expect(sentences[1]).toMatch(/^Blue: you hold 2 of the 3/);
});

test("the reason for a claim names the ticket, the rest of its path, points and trains", () => {
  expect(reasonsFor(now, { kind: "claim", route: "A-B" })).toEqual({
    sentences: [
      "It helps complete your ticket Portland – Denver, which then needs 3 trains.",
      "It scores 8 points and leaves you 16 trains.",
    ],
    ticket: "A-C",
  });
});

test("either lane of a double route completes a ticket", () => {
  const almost = { ...now, ways: new Map([["A-C", { ticket: "A-C", points: 11, pieces: 3, routes: ["B-C"] }]]) };
  expect(reasonsFor(almost, { kind: "claim", route: "B-C*" }).sentences[0]).toBe("It completes your ticket Portland – Denver.");
});

test("a rival whose line ends at a route with one free lane is named", () => {
  const built = { ...now, owners: new Map([["C-D", 1]]) };
  const rival = "Ben has built to Denver and could claim it first.";
  expect(reasonsFor(built, { kind: "claim", route: "B-C" }).sentences).not.toContain(rival);
  expect(reasonsFor({ ...built, closed: new Set(["B-C*"]) }, { kind: "claim", route: "B-C" }).sentences).toContain(rival);
});

test("a claim that serves no ticket says so", () => {
  const { sentences, ticket } = reasonsFor(now, { kind: "claim", route: "C-D" });
  expect(sentences).toEqual(["None of your tickets needs it, but it scores 4 points and leaves you 18 trains."]);
  expect(ticket).toBeNull();
});

test("the deck is suggested if no face-up card is needed", () => {
  expect(reasonsFor(now, { kind: "draw" }).sentences[0]).toBe("No face-up card has a colour that your tickets need next.");
  expect(reasonsFor({ ...now, row: ["blue"] }, { kind: "draw" }).sentences).toHaveLength(1);
});

test("the reason to keep tickets names points, trains and the path they share", () => {
  expect(reasonsFor({ ...now, open: [], offer: ["A-C", "A-D"] }, { kind: "keep", mask: 3 }).sentences).toEqual([
    "Portland – Denver: 11 points for 7 trains.",
    "Portland – Omaha: 14 points for 9 trains.",
    "They share Portland – Salt Lake City and Salt Lake City – Denver.",
  ]);
});

test("more tickets need trains", () => {
  expect(reasonsFor(now, { kind: "tickets" }).sentences).toEqual(["Your open tickets need 7 trains, and you have 20 left."]);
  expect(reasonsFor({ ...now, open: [] }, { kind: "tickets" }).sentences[0]).toContain("no open ticket");
});
