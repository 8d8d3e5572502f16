import { describe, expect, it } from "vitest";
import { type Scan, ScanPlan } from "./scan-plan.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

/** A look that begins then and ends so; tells how long to rest. */
function look(plan: ScanPlan, at: number, end: Partial<Scan>): number {
  return plan.end({ ...plan.begin(at), lastTookMs: end.tookMs ?? 0, ...end });
}

/** A plan after a look from the start that took so long. */
function planAfter(tookMs: number): ScanPlan {
  const plan = new ScanPlan();
  expect(plan.begin(NOON).from).toBeUndefined();
  look(plan, NOON, { tookMs, foundUpTo: NOON });
  return plan;
}

describe("a look for due jobs", () => {
  it("is from the start as long as that takes no time", () => {
    expect(planAfter(0).begin(NOON).from).toBeUndefined();
  });

  it.each([
    [20, 200],
    [2_999, 29_990],
    [60_000, 30_000],
  ])(
    "goes on from the end of the last one, for ten times the %d ms that a look from the start took",
    (tookMs, restMs) => {
      const plan = planAfter(tookMs);
      expect(plan.begin(NOON + restMs - 1).from).toBe(NOON - 1_000);
      expect(plan.begin(NOON + restMs).from).toBeUndefined();
    },
  );

  it("does not put off the next one from the start when it went on", () => {
    const plan = planAfter(100);
    look(plan, NOON + 500, { tookMs: 400, foundUpTo: NOON + 600 });
    expect(plan.begin(NOON + 999).from).toBe(NOON - 400);
    expect(plan.begin(NOON + 1_000).from).toBeUndefined();
  });

  it("that fails is made again from the same time", () => {
    const plan = planAfter(100);
    look(plan, NOON + 500, { tookMs: 1, hasFailed: true });
    expect(plan.begin(NOON + 501).from).toBe(NOON - 1_000);
  });

  it("goes on from the beginning of the first one when that failed, and is made up for later", () => {
    const plan = new ScanPlan();
    look(plan, NOON, { tookMs: 10_000, hasFailed: true });
    expect(plan.begin(NOON + 10_000).from).toBe(NOON - 1_000);
    expect(plan.begin(NOON + 30_000).from).toBeUndefined();
  });

  it("is from the start when the host's clock was set back", () => {
    const plan = planAfter(1_000);
    expect(plan.begin(NOON - 1).from).toBeUndefined();
    look(plan, NOON - 1, { tookMs: 1_000, foundUpTo: NOON - 1 });
    expect(plan.begin(NOON).from).toBe(NOON - 1_001);
  });

  it("rests ten times as long as its last portion took, unless the next one has less to pass over", () => {
    const plan = new ScanPlan();
    const end = { tookMs: 100, lastTookMs: 20 };
    expect(look(plan, NOON, { ...end, hasFailed: true })).toBe(200);
    expect(look(plan, NOON + 500, end)).toBe(200);
    expect(look(plan, NOON + 600, { ...end, lastTookMs: 9_000 })).toBe(2_000);
    expect(plan.begin(NOON + 1_000).from).toBeUndefined();
    expect(look(plan, NOON + 1_000, end)).toBe(0);
  });
});
