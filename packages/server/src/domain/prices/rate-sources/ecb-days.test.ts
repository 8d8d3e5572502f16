import { describe, expect, it } from "vitest";
import { ecbMomentOf, nextEcbReading } from "./ecb-days.ts";

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
