import { expect, test } from "vitest";
import type { Ending } from "../messages";
import { placeOf, placesOf } from "./places";

const NAMES = ["Ann", "Ben", "Cleo"];
const ended = (totals: number[], winners: number[]): Ending => ({ totals, winners }) as unknown as Ending;
const words = (ending: Ending, seat: number | null): string => placeOf(ending, placesOf(ending), seat, NAMES);

test("the place of each player is shown with the distance to the winner", () => {
  const ending = ended([90, 112, 103], [1]);
  expect(placesOf(ending)).toEqual([{ seat: 1, place: 1 }, { seat: 2, place: 2 }, { seat: 0, place: 3 }]);
  expect(words(ending, 2)).toBe("You finished 2nd, 9 points behind Ben.");
  expect(words(ending, 0)).toBe("You finished 3rd, 22 points behind Ben.");
  expect(words(ending, 1)).toBe("You won by 9 points.");
  expect(words(ending, null)).toBe("");
});

test("a tie that was broken, and a victory that is shared", () => {
  expect(words(ended([100, 100, 80], [1]), 0)).toBe("You finished 2nd, level on points with Ben.");
  expect(words(ended([100, 100, 80], [1]), 1)).toBe("You won.");
  expect(words(ended([100, 100, 80], [0, 1]), 0)).toBe("You share the victory.");
  expect(placesOf(ended([100, 100, 80], [0, 1])).map(({ place }) => place)).toEqual([1, 1, 3]);
});
