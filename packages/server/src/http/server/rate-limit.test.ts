import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/kit/http-shell.ts";
import { createRateLimiter } from "./rate-limit.ts";

describe("a rate limiter", () => {
  it("gives the burst, then says how long to wait, then gives again", () => {
    const clock = manualClock();
    const limiter = createRateLimiter({ clock, rate: { perSecond: 0.5, burst: 2 }, maxKeys: 10 });
    expect([limiter.take("a"), limiter.take("a"), limiter.take("a")]).toEqual([0, 0, 2]);
    expect(limiter.take("b")).toBe(0);
    clock.advance(1999);
    expect(limiter.take("a")).toBe(1);
    clock.advance(1);
    expect(limiter.take("a")).toBe(0);
  });

  it("takes the weight of a call, or nothing and returns the seconds until there is enough", () => {
    const clock = manualClock();
    const limiter = createRateLimiter({ clock, rate: { perSecond: 2, burst: 10 }, maxKeys: 10 });
    expect([limiter.take("a", 7), limiter.take("a", 7), limiter.take("a", 3)]).toEqual([0, 2, 0]);
    clock.advance(3_499);
    expect(limiter.take("a", 7)).toBe(1);
    clock.advance(1);
    expect(limiter.take("a", 7)).toBe(0);
  });

  it("never admits more than burst + rate × time, also when the clock jumps", () => {
    const step = fc.oneof(fc.constant("take"), fc.integer({ min: -5000, max: 5000 }));
    const rates = fc.record({
      perSecond: fc.double({ min: 0.1, max: 50, noNaN: true }),
      burst: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(rates, fc.array(step, { maxLength: 200 }), (rate, steps) => {
        const clock = manualClock();
        const limiter = createRateLimiter({ clock, rate, maxKeys: 10 });
        let given = 0;
        let forwardMs = 0;
        for (const move of steps) {
          if (move === "take") given += limiter.take("a") === 0 ? 1 : 0;
          else {
            clock.advance(move as number);
            forwardMs += Math.max(0, move as number);
          }
        }
        expect(given).toBeLessThanOrEqual(rate.burst + (rate.perSecond * forwardMs) / 1000 + 1e-6);
      }),
    );
  });

  it("removes no tokens when the clock steps back, and refills from there", () => {
    const clock = manualClock();
    const limiter = createRateLimiter({ clock, rate: { perSecond: 1, burst: 2 }, maxKeys: 10 });
    limiter.take("a");
    clock.advance(-3_600_000);
    expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 1]);
    clock.advance(1000);
    expect(limiter.take("a")).toBe(0);
  });

  it("returns tokens that were not used, up to the burst", () => {
    const clock = manualClock();
    const limiter = createRateLimiter({ clock, rate: { perSecond: 1, burst: 1 }, maxKeys: 10 });
    limiter.take("a");
    limiter.refund("a");
    limiter.refund("a");
    limiter.refund("nobody");
    expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 1]);
  });

  it("charges in any case, down to a debt of one burst", () => {
    const clock = manualClock();
    const limiter = createRateLimiter({ clock, rate: { perSecond: 1, burst: 4 }, maxKeys: 10 });
    expect([limiter.charge("a", 4), limiter.charge("a", 1)]).toEqual([0, 2]);
    expect([limiter.charge("a", 1), limiter.isInDebt("a")]).toEqual([3, false]);
    expect([limiter.charge("a", 1_000), limiter.isInDebt("a")]).toEqual([5, true]);
    clock.advance(2_000);
    expect(limiter.isInDebt("a")).toBe(false);
    clock.advance(3_000);
    expect([limiter.take("a"), limiter.isInDebt("b")]).toEqual([0, false]);
  });

  it("keeps a bounded number of keys and evicts idle ones first", () => {
    const clock = manualClock();
    const limiter = createRateLimiter({ clock, rate: { perSecond: 1, burst: 1 }, maxKeys: 3 });
    for (const key of ["spent", "idle", "other"]) limiter.take(key);
    limiter.refund("idle");
    limiter.take("new");
    expect(limiter.take("spent")).toBe(1);
    expect(limiter.take("other")).toBe(1);
    for (let key = 0; key < 1000; key += 1) limiter.take(`flood-${key}`);
    const last = [997, 998, 999].map((key) => limiter.take(`flood-${key}`));
    expect([...last, limiter.take("flood-996")]).toEqual([1, 1, 1, 0]);
  });
});
