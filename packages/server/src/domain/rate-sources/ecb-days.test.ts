import { describe, expect, it } from "vitest";
import { ecbMomentOf, isTargetDay, nextEcbReading } from "./ecb-days.ts";

describe("TARGET days", () => {
  /** Days off beside weekends, as the bank has listed them. */
  const DAYS_OFF = [
    ...["2024-01-01", "2024-03-29", "2024-04-01", "2024-05-01", "2024-12-25", "2024-12-26"],
    ...["2025-01-01", "2025-04-18", "2025-04-21", "2025-05-01", "2025-12-25", "2025-12-26"],
    ...["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-12-25"],
    ...["2027-01-01", "2027-03-26", "2027-03-29"],
  ];

  it("are all weekdays of these years but those", () => {
    const wrong: string[] = [];
    const last = Date.UTC(2027, 2, 31);
    for (let at = Date.UTC(2024, 0, 1); at <= last; at += 86_400_000) {
      const date = new Date(at).toISOString().slice(0, 10);
      const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
      if (isTargetDay(date) === (isWeekend || DAYS_OFF.includes(date))) wrong.push(date);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ["2038-04-23", "2038-04-26"],
    ["2099-04-10", "2099-04-13"],
    ["2285-03-20", "2285-03-23"],
  ])(
    "leave out %s and %s, the Friday and the Monday of a late or an early Easter",
    (friday, monday) => {
      expect([isTargetDay(friday), isTargetDay(monday)]).toEqual([false, false]);
    },
  );
});

describe("the times at which the bank's document is read", () => {
  const iso = (text: string) => new Date(nextEcbReading(Date.parse(text))).toISOString();

  it.each([
    ["a winter's afternoon", "2025-11-21T15:04:59.999Z", "2025-11-21T15:05:00.000Z"],
    ["the moment itself", "2025-11-21T15:05:00.000Z", "2025-11-21T15:20:00.000Z"],
    ["the second", "2025-11-21T15:20:00.000Z", "2025-11-21T16:00:00.000Z"],
    ["a weekend", "2025-11-21T16:00:00.000Z", "2025-11-24T15:05:00.000Z"],
    ["summer time", "2025-07-01T00:00:00.000Z", "2025-07-01T14:05:00.000Z"],
    ["Easter", "2025-04-17T15:00:00.000Z", "2025-04-22T14:05:00.000Z"],
    ["the day after the clocks changed", "2025-10-26T12:00:00.000Z", "2025-10-27T15:05:00.000Z"],
    [
      "the day in Frankfurt, which is the next one",
      "2025-11-20T23:30:00.000Z",
      "2025-11-21T15:05:00.000Z",
    ],
  ])("follow %s", (_what, from, next) => {
    expect(iso(from)).toBe(next);
  });

  it("take a day's rates for those of four in the afternoon", () => {
    expect(new Date(ecbMomentOf("2025-07-01")).toISOString()).toBe("2025-07-01T14:00:00.000Z");
    expect(new Date(ecbMomentOf("2025-11-21")).toISOString()).toBe("2025-11-21T15:00:00.000Z");
  });
});
