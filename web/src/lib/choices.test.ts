import { expect, test } from "vitest";
import { sortMoves } from "./choices";
import type { EditionInfo } from "./messages";

const moves: EditionInfo["moves"] = {
  0: { kind: "pass" },
  1: { kind: "draw" },
  9: { kind: "take", colour: "red" },
  11: { kind: "take" },
  15: { kind: "keep", mask: 3 },
  80: { kind: "claim", route: "A-B", colour: "red", cards: 1, locomotives: 1 },
  81: { kind: "claim", route: "A-B", colour: "red", cards: 2 },
};
const edition = { moves } as EditionInfo;

test("legal moves are grouped by their target, fewest locomotives first", () => {
  const choices = sortMoves(edition, [1, 9, 11, 15, 80, 81]);
  expect(choices.draw).toBe(1);
  expect(choices.pass).toBeNull();
  expect([...choices.takes]).toEqual([
    ["red", 9],
    ["loco", 11],
  ]);
  expect(choices.keeps.get(3)).toBe(15);
  expect(choices.claims.get("A-B")?.map((payment) => payment.move)).toEqual([81, 80]);
});

test("an unknown move number is ignored", () => {
  expect(sortMoves(edition, [999]).claims.size).toBe(0);
});
