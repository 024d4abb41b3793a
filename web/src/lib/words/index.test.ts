import { expect, test } from "vitest";
import { clockText } from ".";

test("seconds are shown as minutes and seconds, with hours if there are any", () => {
  expect(clockText(9)).toBe("0:09");
  expect(clockText(119)).toBe("1:59");
  expect(clockText(3_600)).toBe("1:00:00");
  expect(clockText(86_399)).toBe("23:59:59");
});
