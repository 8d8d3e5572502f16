/** Which money a quote takes: by its currency, its state, and the time at which its bank booked the money. */
import { describe, expect, it } from "vitest";
import { quote } from "../../../../test/kit/payment-rows.ts";
import { fundingObstacle } from "./take-funding.ts";

const END = Date.UTC(2026, 10, 24, 12);
const waiting = { ...quote, status: "PENDING", expiresAt: END } as const;
const told = (bookedAt: number | null, bookedOn = "2026-11-24") => ({
  currency: quote.sendingCurrency,
  bookedAt,
  bookedOn,
});

describe("money for a quote", () => {
  it.each([
    ["a second before its time ends", told(END - 1_000), undefined],
    ["as its time ends", told(END), undefined],
    ["a second after", told(END + 1_000), "LATE"],
    ["on the day", told(null), undefined],
    ["on the day before", told(null, "2026-11-23"), undefined],
    ["on the day after", told(null, "2026-11-25"), "LATE"],
  ])("that was booked %s", (_when, entry, expected) => {
    expect(fundingObstacle(waiting, entry)).toBe(expected);
  });

  it.each([
    ["PROCESSING", "ALREADY_FUNDED"],
    ["COMPLETED", "ALREADY_FUNDED"],
    ["FAILED", "ALREADY_FUNDED"],
    ["EXPIRED", "LATE"],
  ] as const)("of a quote that is %s", (status, expected) => {
    expect(fundingObstacle({ ...waiting, status }, told(END - 1_000))).toBe(expected);
  });

  it("in another currency", () => {
    const euros = { ...told(END - 1_000), currency: "EUR" };
    expect(fundingObstacle(waiting, euros)).toBe("CURRENCY");
  });
});
