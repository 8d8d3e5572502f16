/**
 * When the runs of a schedule are due: pure functions of a rule, the calendar and the time zone.
 *
 * A rule names nominal days: every n-th day, week or month from the anchor, which is the first day that fits. A day of the month that a month
 * lacks is its last day. `adjust` moves a day that is no banking day to the one beside it; days that are moved to one day are due once.
 * A time that a zone's clock skips is due at the moment of the change: 02:30 on the day on which 02:00 becomes 03:00 is due at 03:00. A time
 * that the clock shows twice is due the first time.
 */
import {
  bankingDayAfter,
  bankingDayBefore,
  dayBeside,
  type holidayCalendars,
  isBankingDay,
} from "../../../std/calendar/banking-days.ts";
import { daysInMonth } from "../../../std/calendar/calendar-date.ts";
import { timeZoneOf } from "../../../std/calendar/time-zone.ts";

/** In the order of `Date.getUTCDay`. */
export const weekdays = [
  "SUNDAY",
  "MONDAY",
  "TUESDAY",
  "WEDNESDAY",
  "THURSDAY",
  "FRIDAY",
  "SATURDAY",
] as const;
export type Weekday = (typeof weekdays)[number];

export const periods = ["DAY", "WEEK", "MONTH"] as const;
export type Period = (typeof periods)[number];

export const adjustments = ["NONE", "NEXT", "PREVIOUS"] as const;
export type Adjustment = (typeof adjustments)[number];

export const MOST_INTERVAL = 12;

/** Types, not interfaces: an interface is not assignable to a JSON type. */
export type OnceRule = {
  /** ISO 8601, in whole milliseconds. */
  readonly at: string;
};

export type RecurringRule = {
  readonly every: Period;
  readonly interval: number;
  /** A weekday for WEEK, a day of the month for MONTH; absent for DAY. */
  readonly on?: Weekday | number;
  /** HH:MM. */
  readonly time: string;
  readonly timeZone: string;
  readonly holidays: (typeof holidayCalendars)[number];
  readonly adjust: Adjustment;
  /** The first nominal day, from which the interval counts. */
  readonly from: string;
  /** No nominal day is later. */
  readonly until?: string;
  /** The number of due times. */
  readonly count?: number;
};

export type ScheduleRule = OnceRule | RecurringRule;

export function isOnce(rule: ScheduleRule): rule is OnceRule {
  return "at" in rule;
}

/** A rule whose first day and `on` may still be open. */
export type AskedRule = Omit<RecurringRule, "from"> & {
  /** No due day is before this one; the day of the call when absent. */
  readonly from?: string;
};

/** The rule with its first day: the first one that fits and whose time is after `now`. */
export function anchored(asked: AskedRule, now: number): RecurringRule {
  const today = timeZoneOf(asked.timeZone).dayOf(now);
  const start = asked.from === undefined || asked.from < today ? today : asked.from;
  const on = asked.on ?? usualDay(asked.every, start);
  const rule: RecurringRule = { ...asked, ...(on === undefined ? {} : { on }), from: start };
  let day = fittingDay(rule, start);
  while (dueAt(rule, day) <= now) day = fittingDay(rule, dayBeside(day, 1));
  return { ...rule, from: day };
}

/**
 * The first due time after this moment, or undefined when the rule has no more. `count` is left to the caller, because runs that fell into
 * a pause do not use it up.
 */
export function nextDue(rule: ScheduleRule, after: number): number | undefined {
  if (isOnce(rule)) {
    const at = Date.parse(rule.at);
    return at > after ? at : undefined;
  }
  const earliest = timeZoneOf(rule.timeZone).dayOf(after);
  for (let step = stepBefore(rule, earliest); ; step++) {
    const day = dayOfStep(rule, step);
    if (rule.until !== undefined && day > rule.until) return undefined;
    if (adjusted(rule, day) < earliest) continue;
    const due = dueAt(rule, day);
    if (due > after) return due;
  }
}

/** At most `most` due times after this moment, in order. */
export function nextDues(rule: ScheduleRule, after: number, most: number): readonly number[] {
  const dues: number[] = [];
  for (let due = nextDue(rule, after); due !== undefined && dues.length < most; ) {
    dues.push(due);
    due = nextDue(rule, due);
  }
  return dues;
}

function usualDay(every: Period, day: string): Weekday | number | undefined {
  if (every === "DAY") return undefined;
  return every === "MONTH" ? Number(day.slice(8)) : weekdayOf(day);
}

function weekdayOf(day: string): Weekday | undefined {
  return weekdays[new Date(`${day}T00:00:00.000Z`).getUTCDay()];
}

/** The first day from this one on that fits the rule, whatever its interval. */
function fittingDay({ every, on }: RecurringRule, from: string): string {
  if (every === "DAY") return from;
  if (every === "MONTH") {
    const inMonth = dayOfMonth(from, 0, Number(on));
    return inMonth >= from ? inMonth : dayOfMonth(from, 1, Number(on));
  }
  let day = from;
  while (weekdayOf(day) !== on) day = dayBeside(day, 1);
  return day;
}

/** The day in the month that is `months` after the month of the date; the last one of a month that is too short. */
function dayOfMonth(date: string, months: number, on: number): string {
  const total = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const [year, month] = [Math.floor(total / 12), (total % 12) + 1];
  const day = Math.min(on, daysInMonth(year, month));
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** The nominal day that is so many intervals after the first one. */
function dayOfStep({ every, interval, on, from }: RecurringRule, step: number): string {
  if (every === "MONTH") return dayOfMonth(from, step * interval, Number(on));
  return dayBeside(from, step * interval * (every === "WEEK" ? 7 : 1));
}

/** No holiday moves a day by more days than this. */
const MOST_MOVED_DAYS = 10;
const LONGEST_DAYS = { DAY: 1, WEEK: 7, MONTH: 31 } as const satisfies Record<Period, number>;
const DAY_MS = 86_400_000;

/** A step of which neither it nor any earlier one is due on this day or later. */
function stepBefore({ every, interval, from }: RecurringRule, day: string): number {
  const days = (Date.parse(day) - Date.parse(from)) / DAY_MS - MOST_MOVED_DAYS;
  return Math.max(0, Math.floor(days / (interval * LONGEST_DAYS[every])) - 1);
}

function adjusted({ adjust, holidays }: RecurringRule, day: string): string {
  if (adjust === "NONE" || isBankingDay(day, holidays)) return day;
  return adjust === "NEXT" ? bankingDayAfter(day, 0, holidays) : bankingDayBefore(day, holidays);
}

function dueAt(rule: RecurringRule, day: string): number {
  const [hours, minutes] = rule.time.split(":");
  const minute = Number(hours) * 60 + Number(minutes);
  return timeZoneOf(rule.timeZone).atMinute(adjusted(rule, day), minute);
}
