import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PacedQueue } from "./queue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function queueOf(time: number): { queue: PacedQueue<string>; applied: string[] } {
  const applied: string[] = [];
  return { queue: new PacedQueue((item) => applied.push(item), () => time), applied };
}

test("applies the first item at once, and each other item after the duration of the previous one", () => {
  const { queue, applied } = queueOf(100);
  for (const item of ["a", "b", "c"]) queue.push(item);
  expect(applied).toEqual(["a"]);
  vi.advanceTimersByTime(99);
  expect(applied).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(applied).toEqual(["a", "b"]);
  vi.advanceTimersByTime(1_000);
  expect(applied).toEqual(["a", "b", "c"]);
  expect(queue.isBehind).toBe(false);
});

test("applies everything at once if nothing takes time", () => {
  const { queue, applied } = queueOf(0);
  for (const item of ["a", "b"]) queue.push(item);
  expect(applied).toEqual(["a", "b"]);
});

test("a flush keeps the order, and what comes after it does not wait", () => {
  const { queue, applied } = queueOf(100);
  for (const item of ["a", "b", "c"]) queue.push(item);
  queue.flush();
  expect(applied).toEqual(["a", "b", "c"]);
  queue.push("d");
  expect(applied).toEqual(["a", "b", "c", "d"]);
});
