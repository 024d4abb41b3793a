import { expect, test } from "vitest";
import { lineThrough } from "./line";

test("a line reaches the outer ends in either direction of the route", () => {
  expect(lineThrough([[10, 0, 0], [30, 0, 0]], 10)).toBe("M5.0 0.0L10.0 0.0L30.0 0.0L35.0 0.0");
  expect(lineThrough([[30, 0, 0], [10, 0, 0]], 10)).toBe("M35.0 0.0L30.0 0.0L10.0 0.0L5.0 0.0");
});

test("a line through a single space reaches both its ends", () => {
  expect(lineThrough([[10, 0, 0]], 10)).toBe("M5.0 0.0L10.0 0.0L15.0 0.0");
});
