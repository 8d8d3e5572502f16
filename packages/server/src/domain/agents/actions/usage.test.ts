import { describe, expect, it } from "vitest";
import { MAX_FIGURE_MINOR } from "../agent-policy.ts";
import { nextResets, noUsage, release, reserve, spend, unspend, usageAt } from "./usage.ts";

const at = (text: string) => Date.parse(text);
const NOON = at("2026-01-31T12:00:00Z");
const figures = (usage: ReturnType<typeof noUsage>) => [
  usage.usageDay,
  usage.usageDayCount,
  usage.usageDayMinor,
  usage.usageMonthMinor,
];

describe("usage", () => {
  it("adds up within a day, starts anew with the next, and keeps the month", () => {
    const first = spend(spend(noUsage(NOON), 5n, NOON), 7n, NOON);
    expect(figures(first)).toEqual(["2026-01-31", 2, 12n, 12n]);
    const before = at("2026-01-30T23:59:59.999Z");
    const carried = spend(spend(noUsage(before), 5n, before), 7n, NOON);
    expect(figures(carried)).toEqual(["2026-01-31", 1, 7n, 12n]);
    expect(figures(usageAt(carried, at("2026-02-01T00:00:00Z")))).toEqual([
      "2026-02-01",
      0,
      0n,
      0n,
    ]);
  });

  it("returns the amount of a failed transaction while its day and month last", () => {
    const spent = spend(spend(noUsage(NOON), 5n, NOON), 7n, NOON);
    const counted = { minor: 7n, countedAt: NOON };
    expect(figures(unspend(spent, counted, NOON))).toEqual(["2026-01-31", 1, 5n, 5n]);
    const nextMonth = at("2026-02-01T00:00:00Z");
    const later = spend(spent, 9n, nextMonth);
    expect(figures(unspend(later, counted, nextMonth))).toEqual(["2026-02-01", 1, 9n, 9n]);
    const [dayOne, dayTwo] = [at("2026-03-01T10:00:00Z"), at("2026-03-02T10:00:00Z")];
    const overnight = spend(spend(noUsage(dayOne), 5n, dayOne), 7n, dayTwo);
    const ofDayOne = { minor: 5n, countedAt: dayOne };
    expect(figures(unspend(overnight, ofDayOne, dayTwo))).toEqual(["2026-03-02", 1, 7n, 7n]);
  });

  it("stays between zero and the largest amount that the API shows", () => {
    const counted = { minor: 7n, countedAt: NOON };
    expect(figures(unspend(noUsage(NOON), counted, NOON))).toEqual(["2026-01-31", 0, 0n, 0n]);
    const full = spend(spend(noUsage(NOON), MAX_FIGURE_MINOR, NOON), 1n, NOON);
    expect(figures(full)).toEqual(["2026-01-31", 2, MAX_FIGURE_MINOR, MAX_FIGURE_MINOR]);
  });

  it("is reserved and released to the unit", () => {
    const reserved = reserve(reserve({ reservedCount: 0, reservedMinor: 0n }, 5n), 7n);
    expect(reserved).toEqual({ reservedCount: 2, reservedMinor: 12n });
    expect(release(reserved, 5n)).toEqual({ reservedCount: 1, reservedMinor: 7n });
  });

  it.each([
    ["2026-01-31T23:59:59.999Z", "2026-02-01", "2026-02"],
    ["2026-02-28T00:00:00Z", "2026-03-01", "2026-03"],
    ["2028-02-28T00:00:00Z", "2028-02-29", "2028-03"],
    ["2026-12-31T12:00:00Z", "2027-01-01", "2027-01"],
  ])("of %s is reset on %s and in %s", (now, day, month) => {
    expect(nextResets(at(now))).toEqual({ day, month });
  });
});
