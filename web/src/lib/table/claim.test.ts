import { expect, test } from "vitest";
import { sortMoves } from "../choices";
import type { EditionInfo, MoveInfo } from "../messages";
import { EditionIndex } from "./editionIndex";
import { choose, draftClaim, offered, step, tapAgain } from "./claim";

const claim = (route: string, colour: string | null, cards: number, locomotives: number): MoveInfo => ({ kind: "claim", route, colour, cards, locomotives });
const route = (name: string, colour: string, twin: string | null) => ({ name, a: "A", b: "B", length: 2, colour, twin, points: 2 });
const edition = {
  colours: ["black", "red", "blue"],
  route_points: [1, 2],
  cities: [],
  tickets: [],
  routes: [
    route("plain", "red", null),
    route("grey", "grey", null),
    route("one", "black", "two"),
    route("two", "red", "one"),
    route("west", "grey", "east"),
    route("east", "grey", "west"),
  ],
  moves: {
    1: claim("plain", "red", 1, 1),
    2: claim("plain", "red", 2, 0),
    3: claim("grey", "red", 2, 0),
    4: claim("grey", "black", 2, 0),
    5: claim("grey", null, 0, 2),
    6: claim("one", "black", 2, 0),
    7: claim("two", "red", 2, 0),
    8: claim("grey", "red", 1, 1),
    9: claim("grey", "blue", 1, 1),
    10: claim("west", "red", 2, 0),
    11: claim("west", "black", 2, 0),
    12: claim("east", "red", 2, 0),
    13: claim("east", "black", 2, 0),
  },
} as unknown as EditionInfo;
const editionIndex = new EditionIndex(edition);
const choices = sortMoves(edition, Object.keys(edition.moves).map(Number));
const hand = { black: 2, red: 3, blue: 1, loco: 2 };
const draftOf = (name: string, kind: string | null = null) => draftClaim(choices, editionIndex, name, { hand, kind })!;

test("the payment with the fewest locomotives is chosen at once, and a second tap confirms", () => {
  const draft = draftOf("plain");
  expect(draft.chosen.move).toBe(2);
  expect(tapAgain(draft, "plain", { hand, kind: null })).toBeNull();
});

test("a grey route is paid with the colour of which most is left, or with the one chosen in hand", () => {
  expect(draftOf("grey").chosen.move).toBe(3);
  expect(draftClaim(choices, editionIndex, "grey", { hand: { ...hand, black: 9 }, kind: null })?.chosen.move).toBe(4);
  expect(draftOf("grey", "blue").chosen.move).toBe(9);
});

test("locomotives are added and taken back step by step, up to nothing else", () => {
  let draft = draftOf("grey");
  for (const move of [8, 5]) {
    draft = { ...draft, chosen: step(draft, 1)! };
    expect(draft.chosen.move).toBe(move);
    expect(draft.way.colour).toBe("red");
  }
  expect(step(draft, 1)).toBeNull();
  expect(step(draft, -1)?.move).toBe(8);
});

test("another colour keeps the number of locomotives where it can be paid that way", () => {
  const draft = draftOf("grey");
  const [black, , blue] = offered(draft);
  expect(offered(draft).map(({ colour }) => colour)).toEqual(["black", "red", "blue"]);
  expect(choose(draft, blue!).chosen.move).toBe(9);
  expect(choose(choose(draft, blue!), black!).chosen.move).toBe(4);
});

test("both lanes of a double are to choose from", () => {
  const draft = draftOf("one");
  expect(draft.chosen.move).toBe(6);
  expect(offered(draft).map(({ route: lane }) => lane)).toEqual(["one", "two"]);
  expect(tapAgain(draft, "two", { hand, kind: null })?.chosen.move).toBe(7);
});

test("where both lanes are grey, the colours are offered once, for the lane that was tapped", () => {
  const draft = choose(draftOf("west"), draftOf("west").ways.find(({ colour }) => colour === "black")!);
  expect(offered(draft).map(({ route: lane, colour }) => [lane, colour])).toEqual([["west", "black"], ["west", "red"]]);
  const other = tapAgain(draft, "east", { hand, kind: null })!;
  expect(other.chosen.move).toBe(13);
  expect(offered(other).every(({ route: lane }) => lane === "east")).toBe(true);
});

test("with locomotives only, they are a way of their own", () => {
  const draft = draftClaim(sortMoves(edition, [5]), editionIndex, "grey", { hand, kind: null })!;
  expect(draft.ways.map(({ colour }) => colour)).toEqual([null]);
  expect(draft.chosen.move).toBe(5);
});

test("what is not legal cannot be drafted", () => {
  expect(draftClaim(sortMoves(edition, [3]), editionIndex, "plain", { hand, kind: null })).toBeNull();
});
