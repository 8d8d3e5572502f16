import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../../../test/kit/sample.ts";
import { isBankingDay } from "../../../std/calendar/banking-days.ts";
import {
  type AskedRule,
  anchored,
  nextDue,
  nextDues,
  type RecurringRule,
  weekdays,
} from "./schedule-rule.ts";

const MONTHLY: AskedRule = {
  every: "MONTH",
  interval: 1,
  on: 31,
  time: "02:30",
  timeZone: "Europe/Berlin",
  holidays: "NONE",
  adjust: "NONE",
};

const iso = (at: number) => new Date(at).toISOString();

function duesOf(asked: AskedRule, from: string, most = 4): readonly string[] {
  const now = Date.parse(from);
  return nextDues(anchored(asked, now), now, most).map(iso);
}

describe("the due times of a rule", () => {
  it.each<
    [
      name: string,
      rule: Omit<Partial<AskedRule>, "on"> & { readonly on?: AskedRule["on"] | undefined },
      from: string,
      dues: readonly string[],
    ]
  >([
    [
      "fall on the last day of a month that is shorter",
      { timeZone: "UTC", time: "09:00" },
      "2028-01-15T00:00:00.000Z",
      [
        "2028-01-31T09:00:00.000Z",
        "2028-02-29T09:00:00.000Z",
        "2028-03-31T09:00:00.000Z",
        "2028-04-30T09:00:00.000Z",
      ],
    ],
    [
      "move to the end of the gap where a zone's clock skips the time",
      { every: "DAY", on: undefined },
      "2027-03-27T00:00:00.000Z",
      [
        "2027-03-27T01:30:00.000Z",
        "2027-03-28T01:00:00.000Z",
        "2027-03-29T00:30:00.000Z",
        "2027-03-30T00:30:00.000Z",
      ],
    ],
    [
      "take the first of two times that a zone's clock shows",
      { every: "DAY", on: undefined },
      "2027-10-30T12:00:00.000Z",
      [
        "2027-10-31T00:30:00.000Z",
        "2027-11-01T01:30:00.000Z",
        "2027-11-02T01:30:00.000Z",
        "2027-11-03T01:30:00.000Z",
      ],
    ],
    [
      "count the interval from the first day that fits",
      { interval: 3, on: 1, timeZone: "UTC", time: "09:00" },
      "2026-11-01T09:00:00.000Z",
      [
        "2026-12-01T09:00:00.000Z",
        "2027-03-01T09:00:00.000Z",
        "2027-06-01T09:00:00.000Z",
        "2027-09-01T09:00:00.000Z",
      ],
    ],
    [
      "begin not before the day that is asked for",
      { every: "WEEK", interval: 2, on: "FRIDAY", timeZone: "UTC", from: "2026-12-05" },
      "2026-11-01T09:00:00.000Z",
      [
        "2026-12-11T02:30:00.000Z",
        "2026-12-25T02:30:00.000Z",
        "2027-01-08T02:30:00.000Z",
        "2027-01-22T02:30:00.000Z",
      ],
    ],
    [
      "take today's weekday and day of the month where none is given",
      { every: "WEEK", on: undefined, timeZone: "America/New_York", time: "23:00" },
      "2026-11-29T20:00:00.000Z",
      [
        "2026-11-30T04:00:00.000Z",
        "2026-12-07T04:00:00.000Z",
        "2026-12-14T04:00:00.000Z",
        "2026-12-21T04:00:00.000Z",
      ],
    ],
    [
      "move back over a weekend, also where the day itself is over",
      { on: 1, holidays: "TARGET", adjust: "PREVIOUS", timeZone: "UTC", time: "09:00" },
      // Sunday 1 November moves to Friday 30 October, which is over.
      "2026-10-31T09:00:00.000Z",
      [
        "2026-12-01T09:00:00.000Z",
        "2026-12-31T09:00:00.000Z",
        "2027-02-01T09:00:00.000Z",
        "2027-03-01T09:00:00.000Z",
      ],
    ],
    [
      "are one where several days move to the same",
      { every: "DAY", on: undefined, holidays: "TARGET", adjust: "NEXT", timeZone: "UTC" },
      "2026-12-24T00:00:00.000Z",
      [
        "2026-12-24T02:30:00.000Z",
        "2026-12-28T02:30:00.000Z",
        "2026-12-29T02:30:00.000Z",
        "2026-12-30T02:30:00.000Z",
      ],
    ],
    [
      "end with the last day, before it is moved",
      { on: 31, holidays: "TARGET", adjust: "NEXT", timeZone: "UTC", until: "2027-01-31" },
      "2026-12-01T00:00:00.000Z",
      ["2026-12-31T02:30:00.000Z", "2027-02-01T02:30:00.000Z"],
    ],
  ])("%s", (_name, rule, from, dues) => {
    const { on, ...rest } = { ...MONTHLY, ...rule };
    expect(duesOf(on === undefined ? rest : { ...rest, on }, from)).toEqual(dues);
  });

  it("of a moment is that moment, once", () => {
    const at = Date.parse("2027-01-01T00:00:00.000Z");
    expect(nextDues({ at: iso(at) }, at - 1, 5)).toEqual([at]);
    expect(nextDue({ at: iso(at) }, at)).toBeUndefined();
  });
});

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Africa/Cairo",
] as const;

const FIRST = "2026-11-29T12:00:00.000Z";
const YEARS = 10;

describe.each(sampleOf(ZONES))("ten years of monthly rules in %s", (timeZone) => {
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });

  /** The first moment, in steps of a minute around a change and of a quarter elsewhere, at which a clock there shows the text or a later one. */
  function firstShowing(day: string, time: string): number {
    const wanted = `${day} ${time}`;
    let at = Date.parse(`${day}T00:00:00.000Z`) - 16 * 3_600_000;
    while (clock.format(at) < wanted) at += 900_000;
    while (clock.format(at - 60_000) >= wanted) at -= 60_000;
    return at;
  }

  it.each(["NONE", "TARGET", "FEDERAL_RESERVE"] as const)(
    "are those of another calendar, with holidays %s",
    (holidays) => {
      for (const adjust of holidays === "NONE"
        ? (["NONE"] as const)
        : (["NEXT", "PREVIOUS"] as const)) {
        for (const [on, time] of [
          [31, "02:30"],
          [30, "00:15"],
          [1, "23:59"],
        ] as const) {
          const expected = otherCalendar({ on, holidays, adjust })
            .map((day) => firstShowing(day, time))
            .filter((at) => at > Date.parse(FIRST));
          const asked = { ...MONTHLY, on, time, timeZone, holidays, adjust };
          const found = duesOf(asked, FIRST, expected.length);
          expect(expected.length).toBeGreaterThanOrEqual(YEARS * 12);
          expect(found).toEqual(expected.map(iso));
        }
      }
    },
  );
});

/** Sundays of Easter, from an almanac. */
const EASTERS = [
  "2026-04-05",
  "2027-03-28",
  "2028-04-16",
  "2029-04-01",
  "2030-04-21",
  "2031-04-13",
  "2032-03-28",
  "2033-04-17",
  "2034-04-09",
  "2035-03-25",
  "2036-04-13",
];

/** Days of ten years, each asked whether it is the last one that is not after the wanted one in its month. */
function otherCalendar({
  on,
  holidays,
  adjust,
}: Pick<RecurringRule, "holidays" | "adjust"> & { readonly on: number }): readonly string[] {
  const days: Date[] = [];
  for (const day = new Date("2026-11-01"); day < new Date("2037-01-15"); ) {
    days.push(new Date(day));
    day.setUTCDate(day.getUTCDate() + 1);
  }
  const text = (day: Date) => day.toISOString().slice(0, 10);
  return days.flatMap((day, index) => {
    const next = days[index + 1];
    const isWanted = day.getUTCDate() === on || (day.getUTCDate() < on && next?.getUTCDate() === 1);
    if (!isWanted || next === undefined || day > new Date("2036-12-31")) return [];
    let place = index;
    while (adjust !== "NONE" && isOff(days[place] as Date, holidays)) {
      place += adjust === "NEXT" ? 1 : -1;
      if (place < 0) return [];
    }
    return [text(days[place] as Date)];
  });
}

function isOff(day: Date, holidays: RecurringRule["holidays"]): boolean {
  if (day.getUTCDay() % 6 === 0) return true;
  return holidays === "TARGET" ? isTargetOff(day) : isFederalOff(day);
}

function isTargetOff(day: Date): boolean {
  const text = day.toISOString().slice(5, 10);
  if (["01-01", "05-01", "12-25", "12-26"].includes(text)) return true;
  return EASTERS.some((easter) => {
    const days = (day.getTime() - Date.parse(easter)) / 86_400_000;
    return days === -2 || days === 1;
  });
}

/** The number of the weekday in its month, counted from the front and from the back. */
function isFederalOff(day: Date): boolean {
  const [month, date, weekday] = [day.getUTCMonth() + 1, day.getUTCDate(), day.getUTCDay()];
  const fixed = [
    [1, 1],
    [6, 19],
    [7, 4],
    [11, 11],
    [12, 25],
  ] as const;
  if (fixed.some(([m, d]) => m === month && d === date)) return true;
  const before = new Date(day.getTime() - 86_400_000);
  const wasFixed = fixed.some(
    ([m, d]) => m === before.getUTCMonth() + 1 && d === before.getUTCDate(),
  );
  if (weekday === 1 && wasFixed) return true;
  const from = Math.floor((date - 1) / 7) + 1;
  if (weekday === 4) return month === 11 && from === 4;
  if (weekday !== 1) return false;
  const isLast = new Date(day.getTime() + 7 * 86_400_000).getUTCMonth() + 1 !== month;
  if (month === 5) return isLast;
  return ({ 1: 3, 2: 3, 9: 1, 10: 2 } as Readonly<Record<number, number>>)[month] === from;
}

const anyRule: fc.Arbitrary<AskedRule> = fc
  .record({
    every: fc.constantFrom("DAY" as const, "WEEK" as const, "MONTH" as const),
    interval: fc.integer({ min: 1, max: 12 }),
    weekday: fc.constantFrom(...weekdays),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.integer({ min: 0, max: 23 }),
    timeZone: fc.constantFrom(...ZONES, "Pacific/Apia", "UTC"),
    banking: fc.constantFrom(
      { holidays: "NONE", adjust: "NONE" } as const,
      { holidays: "TARGET", adjust: "NEXT" } as const,
      { holidays: "TARGET", adjust: "PREVIOUS" } as const,
      { holidays: "FEDERAL_RESERVE", adjust: "NEXT" } as const,
    ),
  })
  .map(({ every, interval, weekday, day, hour, timeZone, banking }) => ({
    every,
    interval,
    time: `${String(hour).padStart(2, "0")}:30`,
    timeZone,
    ...banking,
    ...(every === "DAY" ? {} : { on: every === "WEEK" ? weekday : day }),
  }));

it("a due time follows from any moment before it in the same way", () => {
  const start = fc.integer({ min: Date.UTC(2026), max: Date.UTC(2036) });
  const share = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(anyRule, start, share, (asked, now, part) => {
      const rule = anchored(asked, now);
      const dues = nextDues(rule, now, 12);
      expect(dues).toHaveLength(12);
      let before = now;
      for (const due of dues) {
        expect(due).toBeGreaterThan(before);
        expect(nextDue(rule, before + Math.floor((due - before) * part))).toBe(due);
        const day = new Intl.DateTimeFormat("sv-SE", { timeZone: rule.timeZone }).format(due);
        if (rule.adjust !== "NONE") expect(isBankingDay(day, rule.holidays)).toBe(true);
        before = due;
      }
    }),
    { numRuns: 200 },
  );
});
