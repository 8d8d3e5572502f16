import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import type { Engine } from "../../engine/engine.ts";
import { silentLog } from "../../std/log.ts";
import type { JobOf } from "../job-runners.ts";
import { ANSWER_GRACE_MS, createApprovalCalls } from "./approval-calls.ts";

const START_MS = Date.UTC(2025, 9, 13);

/** Platforms that never answer, and what each of them was asked. */
function silence(maxUnderway: number) {
  const clock = createManualClock(START_MS);
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const statuses: ((status: number) => void)[] = [];
  const recorded: unknown[] = [];
  const calls = createApprovalCalls({
    engine: {
      submit: async ({ input }: { readonly input: { readonly answer: unknown } }) => {
        recorded.push(input.answer);
        return { status: 200, body: "", replayed: false };
      },
    } as unknown as Engine,
    deliveries: {
      ask: (platformId, { onStatus }) => {
        asked.push(platformId);
        statuses.push(onStatus);
        return new Promise((resolve) => ends.push(() => resolve(undefined)));
      },
    },
    clock,
    log: silentLog,
    maxUnderway,
  });
  let questions = 0;
  const put = (platformId: string, { attempts = 1, lateMs = 0 } = {}) => {
    const transactionId = `t${++questions}`;
    const payload = { transactionId, eventSeq: "1", deadlineAt: START_MS + 5_000 };
    const job = { platformId, kind: "ask", payload, attempts, platformTime: START_MS + lateMs };
    return calls.run(job as unknown as JobOf<"ask-approval">);
  };
  return { asked, recorded, ends, statuses, calls, clock, put };
}

describe("questions under way", () => {
  it("of one platform leave as many places to the others as they take", async () => {
    const { asked, put } = silence(8);
    for (let index = 0; index < 10; index++) await put("silent");
    expect(asked).toHaveLength(4);
    for (let index = 0; index < 10; index++) await put("other");
    expect(asked.filter((one) => one === "other")).toHaveLength(2);
  });

  it("make room as they end, and a question without room waits for its deadline", async () => {
    const { asked, ends, calls, put } = silence(2);
    expect(await put("silent")).toEqual({ kind: "again", inMs: 5_000 });
    expect(await put("silent")).toEqual({ kind: "again", inMs: 5_000 });
    expect(asked).toHaveLength(1);
    for (const end of ends) end();
    await calls.settled();
    await put("silent");
    expect(asked).toHaveLength(2);
  });

  it("are posted once: a job that is claimed again waits for the deadline and then records the timeout", async () => {
    const { asked, recorded, put } = silence(8);
    expect(await put("silent", { attempts: 2, lateMs: 1_000 })).toEqual({
      kind: "again",
      inMs: 4_000,
    });
    expect([asked, recorded]).toEqual([[], []]);
    expect(await put("silent", { attempts: 3, lateMs: 5_000 })).toEqual({ kind: "done" });
    expect([asked, recorded]).toEqual([[], [{ kind: "none" }]]);
  });
});

describe("a question", () => {
  it.each([202, 409])("is answered by the status %i alone", async (status) => {
    const { statuses, calls, put } = silence(8);
    await put("slow");
    const unanswered = calls.isUnanswered("slow", "t1");
    statuses[0]?.(status);
    expect(await unanswered).toBe(false);
    expect(await calls.isUnanswered("slow", "t1")).toBe(false);
  });

  it.each([200, 403, 422, 500])("is not answered by the status %i alone", async (status) => {
    const { statuses, ends, calls, clock, put } = silence(8);
    await put("slow");
    statuses[0]?.(status);
    const unanswered = calls.isUnanswered("slow", "t1");
    await clock.advance(ANSWER_GRACE_MS);
    expect(await unanswered).toBe(true);
    for (const end of ends) end();
    await calls.settled();
    expect(await calls.isUnanswered("slow", "t1")).toBe(false);
  });
});
