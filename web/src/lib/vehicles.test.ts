import { describe, expect, test } from "vitest";
import { KINDS } from "./kinds";
import { pieceOutline } from "./pieces";
import { vehicleOf } from "./vehicles";

const COLOURS = Object.keys(KINDS).filter((kind) => kind !== "grey" && kind !== "loco");

describe("drawings", () => {
  test("every colour has a wagon of its own, and the locomotive is none of them", () => {
    const bodies = [...COLOURS, "loco"].map((kind) => vehicleOf(kind, false).body);
    expect(COLOURS.length).toBeGreaterThanOrEqual(8);
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  test("on a board with taxis all cards show one", () => {
    expect(new Set([...COLOURS, "loco"].map((kind) => vehicleOf(kind, true).body)).size).toBe(1);
  });

  test("every colour has a symbol of its own, but pink looks like purple", () => {
    const symbols = COLOURS.filter((kind) => kind !== "pink").map((kind) => KINDS[kind]!.symbol);
    expect(new Set(symbols).size).toBe(symbols.length);
  });

  test.each([true, false])("five seats have five outlines (taxis: %s)", (isTaxi) => {
    expect(new Set([0, 1, 2, 3, 4].map((seat) => pieceOutline(seat, isTaxi, 30, 12))).size).toBe(5);
  });
});
