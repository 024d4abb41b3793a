import { expect, test } from "vitest";
import type { EditionInfo } from "../messages";
import { EditionIndex, pilesOf } from "./editionIndex";
import { routeLabel } from "./labels";

const claim = (route: string, colour: string | null, cards: number, locomotives: number) => ({ kind: "claim", route, colour, cards, locomotives });
const edition = {
  colours: ["black", "red"],
  route_points: [1, 2, 4],
  locomotive_word: "locomotive",
  piece_word: "train",
  cities: [
    { code: "CHI", name: "Chicago", x: 0, y: 0, marks: [] },
    { code: "PIT", name: "Pittsburgh", x: 1, y: 0, marks: [] },
  ],
  routes: [
    { name: "CHI-PIT", a: "CHI", b: "PIT", length: 3, colour: "black", twin: null, points: 4 },
    { name: "grey", a: "CHI", b: "PIT", length: 2, colour: "grey", twin: null, points: 2 },
  ],
  tickets: [],
  moves: {
    3: { kind: "take", colour: "black" },
    11: { kind: "take" },
    75: claim("CHI-PIT", "black", 3, 0),
    76: claim("CHI-PIT", "black", 2, 1),
    77: claim("CHI-PIT", null, 0, 3),
    80: claim("grey", "black", 2, 0),
    81: claim("grey", "red", 2, 0),
  },
} as unknown as EditionInfo;
const editionIndex = new EditionIndex(edition);

test("the question about a route that cannot be claimed assumes the most frequent colour and no locomotives", () => {
  expect(editionIndex.claimOf("CHI-PIT", { loco: 2 })).toBe(75);
  expect(editionIndex.claimOf("grey", { red: 1 })).toBe(81);
  expect(editionIndex.claimOf("nowhere", {})).toBeNull();
});

test("moves are found by what they do", () => {
  expect(editionIndex.moveOf("take", "black")).toBe(3);
  expect(editionIndex.moveOf("take")).toBe(11);
  expect(editionIndex.moveOf("swap")).toBeNull();
});

test("a payment is grouped by kind of card", () => {
  expect(pilesOf("red", 2, 1)).toEqual([{ kind: "red", count: 2 }, { kind: "loco", count: 1 }]);
  expect(pilesOf(null, 0, 3)).toEqual([{ kind: "loco", count: 3 }]);
});

test("the label of a route has all its details", () => {
  const standing = { owner: null, isClosed: false, isLit: true, names: ["Ann", "Bob"], you: 0 };
  const label = (change: object): string => routeLabel(editionIndex, "CHI-PIT", { ...standing, ...change });
  expect(label({})).toBe("Chicago to Pittsburgh, black, 3 spaces, free, you can claim it");
  expect(label({ isLit: false, owner: 1 })).toBe("Chicago to Pittsburgh, black, 3 spaces, claimed by Bob");
  expect(label({ isLit: false, owner: 0 })).toBe("Chicago to Pittsburgh, black, 3 spaces, yours");
  expect(label({ isLit: false, isClosed: true })).toBe("Chicago to Pittsburgh, black, 3 spaces, closed");
});
