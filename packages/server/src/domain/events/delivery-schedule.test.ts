import { describe, expect, test } from "vitest";
import {
  type AttemptRecord,
  afterAttempt,
  classifyAnswer,
  DELIVERY_WINDOW_MS,
  isRetried,
  isTaken,
  retryDelayMs,
} from "./delivery-schedule.ts";

const MIDDLE = 0.5;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const eventAt = Date.UTC(2025, 9, 13, 12);

const attempt = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  eventType: "OUTGOING_PAYMENT.COMPLETED",
  eventAt,
  attemptedAt: eventAt,
  failures: 1,
  chance: MIDDLE,
  outcome: { status: 500 },
  ...more,
});

describe("the wait", () => {
  const table: readonly (readonly [failures: number, delayMs: number])[] = [
    [1, 5 * SECOND],
    [2, 30 * SECOND],
    [3, 2 * MINUTE],
    [4, 10 * MINUTE],
    [5, 30 * MINUTE],
    [6, 30 * MINUTE],
    [300, 30 * MINUTE],
  ];
  test.each(table)("after failure %i is %i ms, give or take a fifth", (failures, delayMs) => {
    expect(retryDelayMs(failures, MIDDLE)).toBe(delayMs);
    expect(retryDelayMs(failures, 0)).toBe(delayMs * 0.8);
    expect(retryDelayMs(failures, 1)).toBe(delayMs * 1.2);
    expect(retryDelayMs(failures, -5)).toBe(delayMs * 0.8);
    expect(retryDelayMs(failures, 7)).toBe(delayMs * 1.2);
  });
});

describe("an answer", () => {
  const table: readonly (readonly [status: number | undefined, meaning: string])[] = [
    [200, "DELIVERED"],
    [202, "DELIVERED"],
    [204, "DELIVERED"],
    [299, "DELIVERED"],
    [409, "DELIVERED"],
    [410, "ENDPOINT_GONE"],
    ...[
      undefined,
      199,
      300,
      301,
      302,
      304,
      307,
      308,
      400,
      401,
      403,
      404,
      408,
      422,
      429,
      500,
      502,
      503,
      599,
    ].map((status) => [status, "NOT_DELIVERED"] as const),
  ];
  test.each(table)("of status %s means %s", (status, meaning) => {
    expect(classifyAnswer(status)).toBe(meaning);
    const next = afterAttempt(attempt({ outcome: { status } }));
    expect(next.state).toBe(meaning === "NOT_DELIVERED" ? "RETRY" : meaning);
    expect(isTaken({ status })).toBe(meaning === "DELIVERED");
    const ofBatch = afterAttempt(attempt({ outcome: { status, isBatch: true } }));
    expect(ofBatch.state).toBe(status === 409 ? "RETRY" : next.state);
    expect(isTaken({ status, isBatch: true })).toBe(meaning === "DELIVERED" && status !== 409);
  });
});

describe("Retry-After", () => {
  const asked = (retryAfter: string | undefined, status = 429): number => {
    const next = afterAttempt(attempt({ failures: 2, outcome: { status, retryAfter } }));
    return next.state === "RETRY" ? next.dueAt - eventAt : Number.NaN;
  };
  const table: readonly (readonly [header: string | undefined, delaySeconds: number])[] = [
    [undefined, 30],
    ["", 30],
    ["0", 30],
    ["29", 30],
    ["31", 31],
    [" 45 ", 45],
    ["60", 60],
    ["61", 60],
    ["999999999999999999999999", 60],
    ["1e12", 30],
    ["-5", 30],
    ["+45", 30],
    ["45.5", 30],
    ["0x30", 30],
    ["45, 50", 30],
    ["soon", 30],
    ["Infinity", 30],
    ["Mon, 13 Oct 2025 12:00:45 GMT", 45],
    ["Mon, 13 Oct 2025 13:00:00 GMT", 60],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 30],
    ["Mon, 99 Oct 2025 99:00:45 GMT", 30],
    ["Monday, 13-Oct-25 12:00:45 GMT", 30],
    ["2025-10-13T12:00:45Z", 30],
  ];
  test.each(table)("of %j waits %i s where 30 s were due", (header, delaySeconds) => {
    expect(asked(header)).toBe(delaySeconds * SECOND);
    expect(asked(header, 503)).toBe(delaySeconds * SECOND);
  });

  test("says nothing beside any other status", () => {
    expect(asked("45", 500)).toBe(30 * SECOND);
    expect(asked("45", 302)).toBe(30 * SECOND);
  });

  test("is bounded by the wait with its jitter", () => {
    const next = afterAttempt(
      attempt({ failures: 1, chance: 1, outcome: { status: 429, retryAfter: "100" } }),
    );
    expect(next).toEqual({ state: "RETRY", dueAt: eventAt + 12 * SECOND });
  });
});

describe("the end", () => {
  test("comes when the next attempt would be later than seven days after the event", () => {
    const last = eventAt + DELIVERY_WINDOW_MS - 30 * MINUTE;
    expect(DELIVERY_WINDOW_MS).toBe(7 * 24 * 60 * MINUTE);
    expect(afterAttempt(attempt({ failures: 9, attemptedAt: last }))).toEqual({
      state: "RETRY",
      dueAt: eventAt + DELIVERY_WINDOW_MS,
    });
    const late = attempt({ failures: 9, attemptedAt: last + 1 });
    expect(afterAttempt(late)).toEqual({ state: "FAILED" });
    expect(afterAttempt({ ...late, outcome: { status: 200 } })).toEqual({ state: "DELIVERED" });
  });

  test("comes after some 340 attempts of an endpoint that never answers", () => {
    let at = eventAt;
    let failures = 0;
    for (;;) {
      failures += 1;
      const next = afterAttempt(
        attempt({ failures, attemptedAt: at, outcome: { status: undefined } }),
      );
      if (next.state !== "RETRY") break;
      expect(next.dueAt).toBeGreaterThan(at);
      at = next.dueAt;
    }
    expect(failures).toBe(340);
    expect(at - eventAt).toBeLessThanOrEqual(DELIVERY_WINDOW_MS);
  });

  const never: readonly (readonly [eventType: string, retried: boolean])[] = [
    ["TEST", false],
    ["INCOMING_PAYMENT.PENDING", false],
    ["INCOMING_PAYMENT.COMPLETED", true],
    ["AGENT_ACTION.PENDING_APPROVAL", true],
    ["VERIFICATION.APPROVED", true],
  ];
  test.each(never)("of %s: tried again %s", (eventType, retried) => {
    expect(isRetried(eventType)).toBe(retried);
    const record = attempt({ eventType });
    expect(afterAttempt(record).state).toBe(retried ? "RETRY" : "FAILED");
    expect(afterAttempt({ ...record, outcome: { status: 410 } }).state).toBe("ENDPOINT_GONE");
    expect(afterAttempt({ ...record, outcome: { status: 204 } }).state).toBe("DELIVERED");
  });
});
