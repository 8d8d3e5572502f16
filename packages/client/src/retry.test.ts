import { describe, expect, it } from "vitest";
import { isRepeatable, isRetryableStatus, retryDelayMs } from "./retry.ts";

describe("what is sent again", () => {
  it.each([
    ["GET", undefined, true, true],
    ["PUT", undefined, true, true],
    ["DELETE", undefined, true, false],
    ["POST", "a-key", true, true],
    ["POST", undefined, false, false],
    ["PATCH", undefined, false, false],
    ["PATCH", "a-key", false, false],
  ] as const)("repeats %s with key %s: %s; signed: %s", (method, idempotencyKey, plain, signed) => {
    expect(isRepeatable(method, { idempotencyKey, isSigned: false })).toBe(plain);
    expect(isRepeatable(method, { idempotencyKey, isSigned: true })).toBe(signed);
  });

  it.each([
    [200, false],
    [301, false],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [409, false],
    [410, false],
    [422, false],
    [424, false],
    [429, true],
    [500, true],
    [501, false],
    [502, true],
    [503, true],
    [504, true],
    [505, false],
    [599, true],
    [600, false],
  ])("takes status %i as worth another try: %s", (status, expected) => {
    expect(isRetryableStatus(status)).toBe(expected);
  });
});

describe("the pause before the next try", () => {
  const delay = (failures: number, retryAfter: string | null = null, chance = 0) =>
    retryDelayMs({ failures, retryAfter, chance });

  it("doubles up to eight seconds, half of it left to chance", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 60].map((n) => delay(n))).toEqual([
      125, 250, 500, 1000, 2000, 4000, 4000, 4000,
    ]);
    expect([1, 2, 6, 60].map((n) => delay(n, null, 1))).toEqual([250, 500, 8000, 8000]);
  });

  it("is never shorter than what the server asks for", () => {
    expect(delay(1, "3")).toBe(3000);
    expect(delay(1, " 3 ", 1)).toBe(3250);
    expect(delay(1, "0")).toBe(125);
    expect(delay(6, "1")).toBe(4000);
    expect(delay(1, "60")).toBe(60_000);
  });

  it("is not taken when the server asks for more than a minute", () => {
    expect(delay(1, "61")).toBeUndefined();
    expect(delay(1, "99999999999999999999")).toBeUndefined();
    expect(delay(1, "Fri, 31 Dec 2999 23:59:59 GMT")).toBeUndefined();
  });

  it("reads a date that has passed as now", () => {
    expect(delay(1, "Wed, 21 Oct 2015 07:28:00 GMT")).toBe(125);
  });

  it.each(["", "soon", "-1", "1.5", "1e3", "0x10", "1 2"])(
    "ignores a Retry-After of %j",
    (text) => {
      expect(delay(1, text)).toBe(125);
    },
  );
});
