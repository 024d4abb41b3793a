import { expect, test } from "vitest";
import { sortMoves } from "../choices";
import type { EditionInfo, MoveInfo } from "../wire";
import { Atlas } from "./atlas";
import { draftClaim, tapAgain } from "./claim";

const claim = (route: string, colour: string | null, cards: number, locomotives: number): MoveInfo => ({ kind: "claim", route, colour, cards, locomotives });
const route = (name: string, colour: string, twin: string | null) => ({ name, a: "A", b: "B", length: 2, colour, twin, points: 2 });
const edition = {
  colours: ["black", "red"],
  route_points: [1, 2],
  cities: [],
  tickets: [],
  routes: [route("plain", "red", null), route("grey", "grey", null), route("one", "black", "two"), route("two", "red", "one")],
  moves: {
    1: claim("plain", "red", 1, 1),
    2: claim("plain", "red", 2, 0),
    3: claim("grey", "red", 2, 0),
    4: claim("grey", "black", 2, 0),
    5: claim("grey", null, 0, 2),
    6: claim("one", "black", 2, 0),
    7: claim("two", "red", 2, 0),
  },
} as unknown as EditionInfo;
const atlas = new Atlas(edition);
const choices = sortMoves(edition, [1, 2, 3, 4, 5, 6, 7]);

test("a coloured route takes two taps: the fewest locomotives are chosen at once", () => {
  const draft = draftClaim(choices, atlas, "plain", null)!;
  expect(draft.chosen?.move).toBe(2);
  expect(draft.options.map((option) => option.move)).toEqual([2, 1]);
  expect(tapAgain(draft, "plain")).toBeNull();
});

test("a grey route takes three, or two if a colour is chosen in hand", () => {
  const draft = draftClaim(choices, atlas, "grey", null)!;
  expect(draft.chosen).toBeNull();
  expect(draft.options.map((option) => option.move)).toEqual([4, 3, 5]);
  expect(tapAgain(draft, "grey")?.chosen?.move).toBe(4);
  expect(draftClaim(choices, atlas, "grey", "red")?.chosen?.move).toBe(3);
});

test("both lanes of a double are to choose from", () => {
  const draft = draftClaim(choices, atlas, "one", null)!;
  expect(draft.chosen).toBeNull();
  expect(tapAgain(draft, "two")?.chosen?.move).toBe(7);
});

test("what is not legal cannot be drafted", () => {
  expect(draftClaim(sortMoves(edition, [3]), atlas, "plain", null)).toBeNull();
});
