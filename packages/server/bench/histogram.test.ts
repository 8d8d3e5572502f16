import { describe, expect, it } from "vitest";
import { createHistogram } from "./histogram.ts";

/** A seeded sequence of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a latency histogram", () => {
  it.each([
    ["even", (draw: number) => draw * 40],
    ["spread over seven decades", (draw: number) => 10 ** (draw * 7 - 2)],
    ["mostly quick with a slow tail", (draw: number) => 0.5 / (1.0001 - draw)],
  ])("gives every quantile of %s values with less than one percent error", (_, shape) => {
    const draw = numbers(7);
    const values = Array.from({ length: 50_000 }, () => shape(draw()));
    const histogram = createHistogram();
    for (const value of values) histogram.record(value);
    const sorted = values.sort((a, b) => a - b);
    for (const share of [0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1]) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      const unitMs = 0.0001;
      const errorMs = Math.abs(histogram.quantileMs(share) - exact);
      expect(errorMs, `${share}: ${exact}`).toBeLessThan(exact * 0.005 + unitMs);
    }
    expect(histogram.maxMs()).toBe(sorted.at(-1));
    expect(histogram.count()).toBe(50_000);
  });

  it("returns a single value of any size within half a percent", () => {
    for (let valueMs = 0.0001; valueMs < 400_000; valueMs *= 1.013) {
      const histogram = createHistogram();
      histogram.record(valueMs);
      const errorMs = Math.abs(histogram.quantileMs(0.5) - valueMs);
      expect(errorMs, `${valueMs}`).toBeLessThan(valueMs * 0.005 + 0.0001);
    }
  });

  it("counts from the lowest: of two values the lower is the median", () => {
    const histogram = createHistogram();
    histogram.record(100);
    histogram.record(1);
    expect(histogram.quantileMs(0.5)).toBeCloseTo(1, 2);
    expect(histogram.quantileMs(0.51)).toBe(100);
    expect(histogram.quantileMs(0)).toBeCloseTo(1, 2);
  });

  it("is all zero when nothing was recorded", () => {
    const histogram = createHistogram();
    expect([histogram.quantileMs(0.99), histogram.maxMs(), histogram.count()]).toEqual([0, 0, 0]);
  });

  it("counts values beyond its range in the last bucket and keeps the exact maximum", () => {
    const histogram = createHistogram();
    histogram.record(3_000_000);
    histogram.record(-1);
    expect(histogram.maxMs()).toBe(3_000_000);
    expect(histogram.quantileMs(1)).toBeGreaterThan(428_000);
    expect(histogram.quantileMs(0.5)).toBe(0);
  });
});
