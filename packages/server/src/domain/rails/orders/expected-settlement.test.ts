import { expect, it } from "vitest";
import { expectedSettlementAt } from "../rail-carrier.ts";

it.each([
  // A Friday before a weekend.
  ["ACH", "FEDERAL_RESERVE", "2026-11-20T15:00:00.000Z", "2026-11-23T15:00:00.000Z"],
  // The day before Thanksgiving.
  ["ACH", "FEDERAL_RESERVE", "2026-11-25T15:00:00.000Z", "2026-11-27T15:00:00.000Z"],
  // Maundy Thursday.
  ["SEPA", "TARGET", "2026-04-02T10:00:00.000Z", "2026-04-07T10:00:00.000Z"],
  ["SEPA", "NONE", "2026-04-02T10:00:00.000Z", "2026-04-03T10:00:00.000Z"],
  ["SEPA_INSTANT", "TARGET", "2026-04-03T10:00:00.000Z", "2026-04-03T10:00:00.000Z"],
  ["WIRE", "FEDERAL_RESERVE", "2026-11-21T15:00:00.000Z", "2026-11-23T15:00:00.000Z"],
  ["WIRE", "FEDERAL_RESERVE", "2026-11-20T15:00:00.000Z", "2026-11-20T15:00:00.000Z"],
] as const)("expects %s by the calendar %s of %s on %s", (rail, holidays, ordered, expected) => {
  const calendar = { timeZone: "America/New_York", holidays };
  const at = expectedSettlementAt({ paymentRail: rail }, calendar, Date.parse(ordered));
  expect(new Date(at).toISOString()).toBe(expected);
});

it("counts days of the zone", () => {
  // In Auckland it is Saturday.
  const calendar = { timeZone: "Pacific/Auckland", holidays: [] };
  const at = expectedSettlementAt(
    { paymentRail: "ACH" },
    calendar,
    Date.parse("2026-11-20T20:00:00.000Z"),
  );
  expect(new Date(at).toISOString()).toBe("2026-11-22T20:00:00.000Z");
});

it("adds the days for which a collection is held", () => {
  const calendar = { timeZone: "UTC", holidays: [] };
  const at = Date.parse("2026-11-20T15:00:00.000Z");
  const ach = expectedSettlementAt({ paymentRail: "ACH", heldDays: 2 }, calendar, at);
  expect(new Date(ach).toISOString()).toBe("2026-11-25T15:00:00.000Z");
  const instant = expectedSettlementAt({ paymentRail: "RTP", heldDays: 1 }, calendar, at);
  expect(new Date(instant).toISOString()).toBe("2026-11-23T15:00:00.000Z");
});
