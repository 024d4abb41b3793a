import { expect, test } from "vitest";
import type { SeatInfo, TableView } from "../wire";
import { linksAfter, nextHere } from "./handover";

const person: SeatInfo = { who: "person", name: "", level: null, is_here: true };
const seats: SeatInfo[] = [person, person, { ...person, who: "bot", level: "easy" }];
const toMove = (...to_move: number[]): TableView => ({ to_move }) as TableView;

test("the device goes to the other person at it whose turn it is", () => {
  expect(nextHere(toMove(1), seats, 0, { 0: "g.a", 1: "g.b" })).toBe(1);
});

test("it stays while a bot or somebody elsewhere plays", () => {
  expect(nextHere(toMove(2), seats, 0, { 0: "g.a", 1: "g.b" })).toBeNull();
  expect(nextHere(toMove(1), seats, 0, { 0: "g.a" })).toBeNull();
});

test("at the start everybody chooses, one after the other", () => {
  expect(nextHere(toMove(0, 1), seats, 0, { 0: "g.a", 1: "g.b" })).toBeNull();
  expect(nextHere(toMove(1), seats, 0, { 0: "g.a", 1: "g.b" })).toBe(1);
});

test("who watches hands nothing over", () => {
  expect(nextHere(toMove(1), seats, null, { 0: "g.a", 1: "g.b" })).toBeNull();
});

test("a rematch is opened by the same secrets, a seat earlier", () => {
  expect(linksAfter({ 0: "old.a", 1: "old.b" }, 3, "new")).toEqual({ 2: "new.a", 0: "new.b" });
});
