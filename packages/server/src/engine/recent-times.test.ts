import { expect, it } from "vitest";
import { createRecentTimes } from "./recent-times.ts";

it("has the quantiles of the last durations", () => {
  const times = createRecentTimes();
  expect(times.quantiles()).toEqual({ count: 0, p50Ms: 0, p99Ms: 0 });
  for (let ms = 100; ms > 0; ms -= 1) times.note(ms);
  expect(times.quantiles()).toEqual({ count: 100, p50Ms: 51, p99Ms: 100 });
  for (let count = 0; count < 1_024; count += 1) times.note(7);
  expect(times.quantiles()).toEqual({ count: 1_024, p50Ms: 7, p99Ms: 7 });
});
