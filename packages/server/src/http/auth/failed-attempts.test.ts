import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { Refusal } from "../../engine/refusal.ts";
import { createRateLimiter } from "../server/rate-limit.ts";
import { createFailedAttemptLimiter } from "./failed-attempts.ts";

const BURST = 3;

function setUp() {
  const clock = createManualClock(Date.UTC(2025, 9, 13));
  const rate = { perSecond: 1 / 60, burst: BURST };
  const limiter = createRateLimiter({ clock, rate, maxKeys: 10 });
  const tries = createFailedAttemptLimiter({ limiter, clock });
  const outcomes: string[] = [];
  const ends: ((outcome: "right" | "wrong" | "down") => void)[] = [];
  /** A try that goes on until it is told how it ends. */
  const begin = (key = "a") =>
    tries
      .run(key, () => {
        return new Promise<string>((resolve, reject) => {
          ends.push((outcome) => {
            if (outcome === "right") resolve(outcome);
            else reject(outcome === "wrong" ? new Refusal("UNAUTHORIZED") : new Error(outcome));
          });
        });
      })
      .then(
        (answer) => void outcomes.push(answer),
        (error: Error) => void outcomes.push(error instanceof Refusal ? error.code : error.message),
      );
  return { clock, tries, outcomes, ends, begin };
}

/** Until all that can go on has gone on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("attempts of one address", () => {
  it("that succeed are admitted, however many run concurrently", async () => {
    const { outcomes, ends, begin } = setUp();
    const all = Array.from({ length: 20 }, () => begin());
    for (let ended = 0; ended < 20; ) {
      await settle();
      expect(ends.length - ended).toBeLessThanOrEqual(BURST);
      for (const end of ends.slice(ended)) {
        end("right");
        ended += 1;
      }
    }
    await Promise.all(all);
    expect(outcomes).toEqual(Array(20).fill("right"));
  });

  it("that fail are limited, however many run concurrently", async () => {
    const { outcomes, ends, begin } = setUp();
    const all = Array.from({ length: 20 }, () => begin());
    await settle();
    expect(ends).toHaveLength(BURST);
    for (const end of ends) end("wrong");
    await Promise.all(all);
    const limited = Array(20 - BURST).fill("RATE_LIMITED");
    expect([...outcomes].sort()).toEqual([...limited, ...Array(BURST).fill("UNAUTHORIZED")]);
  });

  it("wait at most a second for earlier attempts; other addresses do not wait", async () => {
    const { clock, outcomes, ends, begin } = setUp();
    const all = Array.from({ length: BURST + 1 }, () => begin());
    await settle();
    const other = begin("b");
    await settle();
    ends[BURST]?.("right");
    await other;
    expect(outcomes).toEqual(["right"]);
    await clock.advance(1_000);
    await all[BURST];
    expect(outcomes).toEqual(["right", "RATE_LIMITED"]);
    for (const end of ends) end("right");
    await Promise.all(all);
  });

  it("are not counted after a fault of the server, and are counted after an answer that reports a failure", async () => {
    const { tries, outcomes, ends, begin } = setUp();
    for (let count = 0; count < 10; count++) {
      const one = begin();
      await settle();
      ends[count]?.("down");
      await one;
    }
    expect(outcomes).toEqual(Array(10).fill("down"));
    const refused = () =>
      tries.run(
        "a",
        async () => 404,
        (status) => status !== 200,
      );
    for (let count = 0; count < BURST; count++) expect(await refused()).toBe(404);
    await expect(refused()).rejects.toThrow(Refusal);
  });
});
