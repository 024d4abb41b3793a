import { expect, test } from "vitest";
import type { SeatInfo, TableView } from "../messages";
import { linksAfter, nextHere } from "./handover";

const person: SeatInfo = { who: "person", name: "", colour: "blue", level: null, style: null, is_here: true, devices: 1, is_out_of_time: false };
const seats: SeatInfo[] = [person, person, { ...person, who: "bot", level: "easy" }];
const toMove = (...to_move: number[]): TableView => ({ to_move }) as TableView;

test("the device goes to the other person at it whose turn it is", () => {
  expect(nextHere(toMove(1), seats, 0, { 0: "g.a", 1: "g.b" })).toBe(1);
});

test("no hand-over while a bot or a remote player is to move", () => {
  expect(nextHere(toMove(2), seats, 0, { 0: "g.a", 1: "g.b" })).toBeNull();
  expect(nextHere(toMove(1), seats, 0, { 0: "g.a" })).toBeNull();
});

test("at the start all players choose, one after the other", () => {
  expect(nextHere(toMove(0, 1), seats, 0, { 0: "g.a", 1: "g.b" })).toBeNull();
  expect(nextHere(toMove(1), seats, 0, { 0: "g.a", 1: "g.b" })).toBe(1);
});

test("spectators have no hand-over", () => {
  expect(nextHere(toMove(1), seats, null, { 0: "g.a", 1: "g.b" })).toBeNull();
});

test("a rematch opens with the same secrets, each one seat earlier", () => {
  expect(linksAfter({ 0: "old.a", 1: "old.b" }, 3, "new")).toEqual({ 2: "new.a", 0: "new.b" });
});
