import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { PendingCode } from "./credential.ts";
import { issueCode, judgeGuess, mailBudgetRef, refuseTooOften } from "./one-time-code.ts";

const AT = 1_000_000;
const code: PendingCode = { id: "a", digest: "ab".repeat(32), tries: 0, expiresAt: AT + 1 };
const right = { codeId: "a", digest: code.digest };

describe("a wrong one-time code", () => {
  it.each([
    ["the code", code, right, "right"],
    ["the code at the fifth try", { ...code, tries: 4 }, right, "right"],
    ["another code", code, { ...right, digest: "cd".repeat(32) }, "wrong"],
    ["something shorter", code, { ...right, digest: "ab" }, "wrong"],
    ["the code after five tries", { ...code, tries: 5 }, right, "unjudged"],
    ["the code when it has run out", { ...code, expiresAt: AT }, right, "unjudged"],
    ["the code before this one", code, { ...right, codeId: "b" }, "unjudged"],
    ["anything when there is no code", null, right, "unjudged"],
    ["nothing", code, undefined, "unjudged"],
  ] as const)("of %s is judged", (_what, pending, guess, verdict) => {
    expect(judgeGuess(pending, guess, AT)).toBe(verdict);
  });
});

describe("the budget of an address", () => {
  it("is the same for every spelling of its case, and another for another address", () => {
    expect(mailBudgetRef("Ana@Example.com").id).toBe(mailBudgetRef("ana@example.com").id);
    expect(mailBudgetRef("ana@example.org").id).not.toBe(mailBudgetRef("ana@example.com").id);
    expect(mailBudgetRef("ana@example.com").id).toMatch(
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    );
  });
});

const PLATFORM = "018f0000-0000-7000-8000-0000000000aa";
const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 60 * 60 * 1000;

/** The world at a time after mail went to this address at these times. */
function worldAfter(sentTimes: readonly number[], at: number, email = "ana@example.com") {
  const { table, id } = mailBudgetRef(email);
  const tables = [rowsOf(table, { id, sentTimes, updatedAt: NOON })];
  const command = { needs: () => [mailBudgetRef(email)] };
  return worldFor({ command, input: undefined, platformId: PLATFORM, tables, at });
}

/** `sent`, or the seconds until it may be. */
function mailing(
  { sentTimes = [], codeTimes = [] }: Partial<Record<"sentTimes" | "codeTimes", number[]>>,
  at: number,
) {
  try {
    refuseTooOften(worldAfter(sentTimes, at), "ana@example.com", codeTimes);
    return "sent";
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Refusal);
    expect((thrown as Refusal).code).toBe("RATE_LIMITED");
    return (thrown as Refusal).details?.retryAfterSeconds;
  }
}

const every = (ms: number, count: number) =>
  Array.from({ length: count }, (_, index) => NOON + index * ms);

describe("a mail", () => {
  it("waits for half a minute after the one before of its credential", () => {
    expect(mailing({ codeTimes: [NOON] }, NOON + 29_999)).toBe(1);
    expect(mailing({ codeTimes: [NOON] }, NOON + 30_000)).toBe("sent");
  });

  it("is one of ten in an hour of its credential", () => {
    expect(mailing({ codeTimes: every(60_000, 9) }, NOON + HOUR_MS - 1)).toBe("sent");
    expect(mailing({ codeTimes: every(60_000, 10) }, NOON + HOUR_MS - 1)).toBe(1);
    expect(mailing({ codeTimes: every(60_000, 10) }, NOON + HOUR_MS)).toBe("sent");
    expect(mailing({ codeTimes: every(60_000, 10) }, NOON + 600_000)).toBe(3_000);
  });

  it("is one of twenty in an hour of its address", () => {
    expect(mailing({ sentTimes: every(1_000, 19) }, NOON + HOUR_MS - 1)).toBe("sent");
    expect(mailing({ sentTimes: every(1_000, 20) }, NOON + HOUR_MS - 1)).toBe(1);
    expect(mailing({ sentTimes: every(1_000, 20) }, NOON + HOUR_MS)).toBe("sent");
  });

  it("is counted with the others of the hour, for its credential and for its address", () => {
    const world = worldAfter([NOON - HOUR_MS, NOON - HOUR_MS + 1, NOON - 5], NOON);
    const code = { id: PLATFORM, digest: "ab", sealed: "sealed", lifetimeMs: 300_000 };
    const credential = {
      id: PLATFORM,
      nickname: "Ana@example.com",
      codeTimes: [NOON - HOUR_MS, NOON - 1],
    };
    expect(issueCode(world, credential, code)).toEqual({
      code: { id: PLATFORM, digest: "ab", tries: 0, expiresAt: NOON + 300_000 },
      codeSealed: "sealed",
      codeTimes: [NOON - 1, NOON],
    });
    expect(world.get(mailBudgetRef("ana@example.com"))).toMatchObject({
      sentTimes: [NOON - HOUR_MS + 1, NOON - 5, NOON],
      updatedAt: NOON,
    });
    expect(world.jobs.map(({ kind }) => kind)).toEqual(["send-code"]);
  });
});
