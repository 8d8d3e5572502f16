import { describe, expect, it } from "vitest";
import { bankingDayAfter, isBankingDay, lastDayAged } from "./banking-days.ts";

/** The holidays that the Federal Reserve Banks published, weekends left out. */
const FEDERAL_RESERVE: Readonly<Record<number, readonly string[]>> = {
  2021: ["01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"],
  2025: [
    "01-01",
    "01-20",
    "02-17",
    "05-26",
    "06-19",
    "07-04",
    "09-01",
    "10-13",
    "11-11",
    "11-27",
    "12-25",
  ],
  2026: ["01-01", "01-19", "02-16", "05-25", "06-19", "09-07", "10-12", "11-11", "11-26", "12-25"],
  2027: ["01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"],
  2028: ["01-17", "02-21", "05-29", "06-19", "07-04", "09-04", "10-09", "11-23", "12-25"],
};
function federalDaysOff(year: number): readonly string[] {
  const days = Array.from({ length: 366 }, (_, index) => {
    return new Date(Date.UTC(year, 0, 1 + index)).toISOString().slice(0, 10);
  });
  const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());
  return days
    .filter((day) => day.startsWith(String(year)) && !isWeekend(day))
    .filter((day) => !isBankingDay(day, "FEDERAL_RESERVE"))
    .map((day) => day.slice(5));
}

describe("banking days", () => {
  it.each(Object.entries(FEDERAL_RESERVE))(
    "are those of the Federal Reserve in %s",
    (year, off) => {
      expect(federalDaysOff(Number(year))).toEqual(off);
    },
  );

  it("are all days with NONE, and weekdays that are not listed otherwise", () => {
    expect(isBankingDay("2026-12-26", "NONE")).toBe(true);
    expect(isBankingDay("2026-12-26", [])).toBe(false);
    expect(isBankingDay("2026-12-25", [])).toBe(true);
    expect(isBankingDay("2026-12-25", ["2026-12-25"])).toBe(false);
  });

  it("follow each other over weekends and holidays", () => {
    expect(bankingDayAfter("2026-04-02", 1, "TARGET")).toBe("2026-04-07");
    expect(bankingDayAfter("2026-11-25", 1, "FEDERAL_RESERVE")).toBe("2026-11-27");
    expect(bankingDayAfter("2026-11-28", 0, [])).toBe("2026-11-30");
    expect(bankingDayAfter("2026-11-27", 0, [])).toBe("2026-11-27");
    expect(bankingDayAfter("2026-11-28", 1, "NONE")).toBe("2026-11-29");
  });

  it("count back to the day that is as old as asked for", () => {
    for (const holidays of ["NONE", "TARGET", "FEDERAL_RESERVE"] as const) {
      for (const today of ["2026-04-05", "2026-04-07", "2026-11-27", "2026-11-29"]) {
        for (const days of [1, 2, 5, 20]) {
          const day = lastDayAged(today, days, holidays);
          const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
          expect(bankingDayAfter(day, days, holidays) <= today).toBe(true);
          expect(bankingDayAfter(next, days, holidays) <= today).toBe(false);
        }
      }
    }
  });
});

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
      if (isBankingDay(date, "TARGET") === (isWeekend || DAYS_OFF.includes(date))) wrong.push(date);
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
      expect([isBankingDay(friday, "TARGET"), isBankingDay(monday, "TARGET")]).toEqual([
        false,
        false,
      ]);
    },
  );
});
