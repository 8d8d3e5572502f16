import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysBetween, endsMonth, isTimeZoneName, timeZoneOf } from "./time-zone.ts";

const DAY_MS = 86_400_000;

const iso = (at: number) => new Date(at).toISOString();

describe("the start of a day", () => {
  it.each([
    ["UTC", "2026-10-25", "2026-10-25T00:00:00.000Z"],
    ["Asia/Kathmandu", "2026-10-25", "2026-10-24T18:15:00.000Z"],
    ["America/St_Johns", "2026-03-08", "2026-03-08T03:30:00.000Z"],
    ["America/St_Johns", "2026-03-09", "2026-03-09T02:30:00.000Z"],
    ["Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00.000Z"],
    // The clock goes from 00:00 to 01:00.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00.000Z"],
    // The clock goes from 24:00 back to 23:00 of the day before.
    ["America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00.000Z"],
    // The clock went from 00:01 back to 23:01 of the day before: the day began twice, and counts from the first time.
    ["America/St_Johns", "2010-11-07", "2010-11-07T02:30:00.000Z"],
    // The day was skipped: it begins where the next one does.
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"],
    // An offset with seconds.
    ["Africa/Monrovia", "1950-01-01", "1950-01-01T00:44:30.000Z"],
    ["UTC", "9999-12-31", "9999-12-31T00:00:00.000Z"],
    ["Europe/Berlin", "0001-01-01", "0000-12-31T23:06:32.000Z"],
  ])("in %s of %s is %s", (zone, date, expected) => {
    expect(iso(timeZoneOf(zone).startOfDay(date))).toBe(expected);
  });
});

const zones = [
  "UTC",
  "Asia/Kathmandu",
  "America/St_Johns",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "America/Havana",
  "Asia/Beirut",
  "Antarctica/Troll",
  "Africa/Casablanca",
  "Europe/Dublin",
  "Asia/Tehran",
  "America/Asuncion",
];

const anyZone = fc.constantFrom(...zones);
const anyDay = fc.integer({ min: 0, max: 60 * 366 }).map((days) => {
  return iso(Date.UTC(1975, 0, 1) + days * DAY_MS).slice(0, 10);
});

describe("the days of a zone", () => {
  it("begin when a clock there first shows them, and not a millisecond before", () => {
    fc.assert(
      fc.property(anyZone, anyDay, (zone, date) => {
        const { startOfDay, dayOf } = timeZoneOf(zone);
        const start = startOfDay(date);
        expect(dayOf(start) >= date).toBe(true);
        expect(dayOf(start - 1) < date).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("follow each other, 23 to 25 hours long but for days that were skipped", () => {
    fc.assert(
      fc.property(anyZone, anyDay, (zone, date) => {
        const { startOfDay, endOfDay } = timeZoneOf(zone);
        const hours = (endOfDay(date) - startOfDay(date)) / 3_600_000;
        const next = iso(Date.parse(date) + DAY_MS).slice(0, 10);
        expect(startOfDay(next)).toBe(endOfDay(date));
        if (zone === "Pacific/Apia" && date.startsWith("2011-12-")) return;
        expect([date, zone, hours >= 22 && hours <= 26]).toEqual([date, zone, true]);
      }),
      { numRuns: 300 },
    );
  });

  it("have the moments that are between their start and the next one's", () => {
    fc.assert(
      fc.property(anyZone, fc.integer({ min: Date.UTC(2012), max: Date.UTC(2036) }), (zone, at) => {
        const { startOfDay, endOfDay, dayOf } = timeZoneOf(zone);
        const day = dayOf(at);
        expect(startOfDay(day)).toBeLessThanOrEqual(at);
        // Where a day begins twice, the hour before its second beginning shows the day before.
        expect(endOfDay(day)).toBeGreaterThan(at - 3_600_000);
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ["Europe/Berlin", true],
  ["Etc/GMT+5", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Asia/Kolkata", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["+05:30", false],
  ["", false],
  ["Europe/Berlin ", false],
  ["../etc/passwd", false],
])("the name %s of a zone: %s", (name, expected) => {
  expect(isTimeZoneName(name)).toBe(expected);
});

it("counts days in the calendar", () => {
  expect(daysBetween("2026-02-28", "2026-03-01")).toBe(2);
  expect(daysBetween("2026-03-01", "2026-02-28")).toBe(0);
  expect(["2024-02-28", "2024-02-29", "2026-02-28", "9999-12-31"].map(endsMonth)).toEqual([
    false,
    true,
    true,
    true,
  ]);
});
