import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import type { ClaimedJob } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { silentLog } from "../std/log.ts";
import { createApprovalCalls } from "./approval-calls.ts";

const START_MS = Date.UTC(2025, 9, 13);

/** Platforms that never answer, and what each of them was asked. */
function silence(maxUnderway: number) {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const calls = createApprovalCalls({
    engine: {
      submit: async () => ({ status: 200, body: "", replayed: false }),
    } as unknown as Engine,
    deliveries: {
      ask: (platformId) => {
        asked.push(platformId);
        return new Promise((resolve) => ends.push(() => resolve(undefined)));
      },
    },
    clock: createManualClock(START_MS),
    log: silentLog,
    maxUnderway,
  });
  let questions = 0;
  const put = (platformId: string) => {
    const transactionId = `t${++questions}`;
    const payload = { transactionId, eventSeq: "1", deadlineAt: START_MS + 5_000 };
    const job = { platformId, kind: "ask", payload, attempts: 1, platformTime: START_MS };
    return calls.run(job as unknown as ClaimedJob);
  };
  return { asked, ends, calls, put };
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
});
