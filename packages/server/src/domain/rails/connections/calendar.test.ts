import { expect, it } from "vitest";
import { cutOffAfter, cutOffBefore, type RailCalendar } from "./calendar.ts";

const FRANKFURT: RailCalendar = {
  timeZone: "Europe/Berlin",
  holidays: "TARGET",
  cutOffs: ["11:00", "15:30"],
};

it.each([
  ["before the first one of the day", "2026-11-26T08:00:00Z", "2026-11-26T10:00:00Z"],
  ["at the first one, the second one", "2026-11-26T10:00:00Z", "2026-11-26T14:30:00Z"],
  ["after the last one, the next day", "2026-11-26T14:30:00Z", "2026-11-27T10:00:00Z"],
  ["after the last one of a Friday, Monday", "2026-11-27T15:00:00Z", "2026-11-30T10:00:00Z"],
  ["on a Saturday, Monday", "2026-11-28T08:00:00Z", "2026-11-30T10:00:00Z"],
  ["on Christmas, the Monday after it", "2026-12-25T08:00:00Z", "2026-12-28T10:00:00Z"],
  ["in summer, an hour earlier in UTC", "2026-07-01T06:00:00Z", "2026-07-01T09:00:00Z"],
])("finds the cut-off %s", (_name, at, expected) => {
  const found = cutOffAfter(FRANKFURT, Date.parse(at));
  expect(found && new Date(found).toISOString()).toBe(expected.replace("Z", ".000Z"));
});

it("knows the day of the zone, not of UTC", () => {
  const calendar: RailCalendar = { timeZone: "Pacific/Auckland", holidays: [], cutOffs: ["09:00"] };
  // Friday 20:30 in Auckland.
  const found = cutOffAfter(calendar, Date.parse("2026-11-27T07:30:00Z"));
  expect(found && new Date(found).toISOString()).toBe("2026-11-29T20:00:00.000Z");
});

it.each([
  ["the one of this moment", "2026-11-26T10:00:00Z", "2026-11-26T10:00:00Z"],
  ["the last one of the day", "2026-11-26T20:00:00Z", "2026-11-26T14:30:00Z"],
  [
    "before the first one of a Monday, that of Friday",
    "2026-11-30T08:00:00Z",
    "2026-11-27T14:30:00Z",
  ],
  ["on a Sunday, that of Friday", "2026-11-29T12:00:00Z", "2026-11-27T14:30:00Z"],
])("finds before a moment %s", (_name, at, expected) => {
  const found = cutOffBefore(FRANKFURT, Date.parse(at));
  expect(found && new Date(found).toISOString()).toBe(expected.replace("Z", ".000Z"));
});

it("finds none without cut-offs", () => {
  expect(cutOffAfter({ timeZone: "UTC", holidays: [] }, 0)).toBeUndefined();
  expect(cutOffAfter({ timeZone: "UTC", holidays: [], cutOffs: [] }, 0)).toBeUndefined();
  expect(cutOffBefore({ timeZone: "UTC", holidays: [] }, 0)).toBeUndefined();
});
