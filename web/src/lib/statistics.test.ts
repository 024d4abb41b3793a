import { expect, test } from "vitest";
import { scoreLines, shownRows } from "./statistics";
import type { SeatStatistics } from "./messages";

test("a row with only zeros is left out", () => {
  const seat = { turns: 3, routes: 0, tickets_made: 0 } as SeatStatistics;
  const other = { turns: 2, routes: 1, tickets_made: 0 } as SeatStatistics;
  const rows = shownRows([seat, other]);
  expect(rows).toContain("routes");
  expect(rows).not.toContain("tickets_made");
});

test("scores become lines from the left to the right, the highest at the top", () => {
  const { paths, zero } = scoreLines([[0, 5, 10], [0, -5, 0]], 100, 30);
  expect(paths).toEqual(["M0.0 20.0L50.0 10.0L100.0 0.0", "M0.0 20.0L50.0 30.0L100.0 20.0"]);
  expect(zero).toBe(20);
});
