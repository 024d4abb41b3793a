import { expect, test } from "vitest";
import { clockText } from "./clock";

test("time is told in minutes and seconds, and in hours where there are any", () => {
  expect(clockText(9)).toBe("0:09");
  expect(clockText(119)).toBe("1:59");
  expect(clockText(3_600)).toBe("1:00:00");
  expect(clockText(86_399)).toBe("23:59:59");
});
