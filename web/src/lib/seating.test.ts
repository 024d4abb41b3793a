import { expect, test } from "vitest";
import { coloursOf, newSeat, seatBots, swapColours, toWishes } from "./seating";

test("seats without a choice get the colours and bots of their numbers", () => {
  const seats = [newSeat("here", "Ann"), newSeat("medium"), newSeat("medium"), newSeat("easy")];
  expect(coloursOf(seats)).toEqual(["blue", "red", "green", "yellow"]);
  expect(seatBots(seats).map((bot) => bot?.name)).toEqual([undefined, "Jasper", "Cora", "Toby"]);
});

test("a chosen colour is kept, and the others move out of its way", () => {
  const seats = [newSeat("here", "Ann", "red"), newSeat("medium"), newSeat("medium")];
  expect(coloursOf(seats)).toEqual(["red", "green", "yellow"]);
});

test("the seat whose colour is chosen gets the other one's", () => {
  const seats = [newSeat("here"), newSeat("here"), newSeat("link")];
  swapColours(seats, 0, "green");
  expect(coloursOf(seats)).toEqual(["green", "red", "blue"]);
  swapColours(seats, 1, "black");
  expect(coloursOf(seats)).toEqual(["green", "black", "blue"]);
});

test("a bot that was chosen is not given to another seat, nor one with the name of a person", () => {
  const seats = [newSeat("here", "jasper"), newSeat("medium"), { ...newSeat("medium"), bot: "Felix" }, newSeat("medium")];
  expect(seatBots(seats).map((bot) => bot?.name)).toEqual([undefined, "Cora", "Felix", "Ruth"]);
});

test("a bot of another level is forgotten when the level changes", () => {
  const seats = [newSeat("here"), { ...newSeat("hard"), bot: "Felix" }];
  expect(seatBots(seats)[1]?.level).toBe("hard");
  expect(toWishes(seats)[1]).toEqual({ who: "bot", level: "hard", name: "Iris", colour: "red" });
});
