import { describe, expect, it } from "vitest";
import { LookPlan } from "./look-plan.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

/** A plan after a look from the start that took so long. */
function planAfter(tookMs: number): LookPlan {
  const plan = new LookPlan();
  expect(plan.from(NOON)).toBeUndefined();
  plan.ended({ startedAt: NOON, from: undefined, tookMs, foundUpTo: NOON });
  return plan;
}

describe("a look for due jobs", () => {
  it("is from the start as long as that takes no time", () => {
    expect(planAfter(0).from(NOON)).toBeUndefined();
  });

  it.each([
    [20, 200],
    [2_999, 29_990],
    [60_000, 30_000],
  ])(
    "goes on from the end of the last one, for ten times the %d ms that a look from the start took",
    (tookMs, restMs) => {
      const plan = planAfter(tookMs);
      expect(plan.from(NOON + restMs - 1)).toBe(NOON - 1_000);
      expect(plan.from(NOON + restMs)).toBeUndefined();
    },
  );

  it("does not put off the next one from the start when it went on", () => {
    const plan = planAfter(100);
    const [startedAt, foundUpTo] = [NOON + 500, NOON + 600];
    plan.ended({ startedAt, from: NOON - 1_000, tookMs: 400, foundUpTo });
    expect(plan.from(NOON + 999)).toBe(NOON - 400);
    expect(plan.from(NOON + 1_000)).toBeUndefined();
  });

  it("that fails is made again from the same time", () => {
    const plan = planAfter(100);
    const failed = { from: NOON - 1_000, tookMs: 1, foundUpTo: undefined };
    plan.ended({ startedAt: NOON + 500, ...failed });
    expect(plan.from(NOON + 501)).toBe(NOON - 1_000);
  });

  it("goes on from the beginning of the first one when that failed, and is made up for later", () => {
    const plan = new LookPlan();
    plan.ended({ startedAt: NOON, from: undefined, tookMs: 10_000, foundUpTo: undefined });
    expect(plan.from(NOON + 10_000)).toBe(NOON - 1_000);
    expect(plan.from(NOON + 30_000)).toBeUndefined();
  });

  it("is from the start when the host's clock was set back", () => {
    const plan = planAfter(1_000);
    expect(plan.from(NOON - 1)).toBeUndefined();
    plan.ended({ startedAt: NOON - 1, from: undefined, tookMs: 1_000, foundUpTo: NOON - 1 });
    expect(plan.from(NOON)).toBe(NOON - 1_001);
  });
});
