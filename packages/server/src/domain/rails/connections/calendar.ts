/** The calendar of a connection: its zone and the days on which its bank works. Without one, every weekday is a banking day, in UTC. */
import {
  bankingDayAfter,
  bankingDayBefore,
  type Holidays,
  isBankingDay,
  lastDayAged,
} from "../../../std/calendar/banking-days.ts";
import { daysBetween, timeZoneOf } from "../../../std/calendar/time-zone.ts";
import type { RailConnection } from "./rail-connection.ts";

export type RailCalendar = {
  readonly timeZone: string;
  readonly holidays: Holidays;
  /** `HH:MM` in the zone: when the bank stops taking the orders of a banking day. */
  readonly cutOffs?: readonly string[];
};

export const USUAL_CALENDAR: RailCalendar = { timeZone: "UTC", holidays: [] };

const DAY_MS = 86_400_000;

/** Today in the connection's zone, and the earliest opening times of items up to 1, up to 5 and up to 20 banking days old. */
export function calendarOf({ calendar }: Pick<RailConnection, "calendar">, at: number) {
  const zone = timeZoneOf(calendar.timeZone);
  const today = zone.dayOf(at);
  const olderFrom = (days: number) => zone.endOfDay(lastDayAged(today, days, calendar.holidays));
  return { today, agedSince: () => [olderFrom(2), olderFrom(6), olderFrom(21)] as const };
}

/** Whether `day` is more than `days` banking days after `from`. */
export function isAfterBankingDays(
  { calendar }: Pick<RailConnection, "calendar">,
  day: string,
  after: { readonly from: string; readonly days: number },
): boolean {
  return day > bankingDayAfter(after.from, after.days, calendar.holidays);
}

const MINUTES = /^(\d\d):(\d\d)$/;

/** The first cut-off after a moment; undefined for a calendar without cut-offs. */
export function cutOffAfter(calendar: RailCalendar, at: number): number | undefined {
  const { timeZone, holidays } = calendar;
  const first = bankingDayAfter(timeZoneOf(timeZone).dayOf(at), 0, holidays);
  const moments = [first, bankingDayAfter(first, 1, holidays)].flatMap((day) =>
    cutOffsOf(calendar, day),
  );
  return moments.find((moment) => moment > at);
}

/** The last cut-off at or before a moment; undefined for a calendar without cut-offs. */
export function cutOffBefore(calendar: RailCalendar, at: number): number | undefined {
  const { timeZone, holidays } = calendar;
  const today = timeZoneOf(timeZone).dayOf(at);
  const earlier = bankingDayBefore(today, holidays);
  const days = isBankingDay(today, holidays) ? [earlier, today] : [earlier];
  const moments = days.flatMap((day) => cutOffsOf(calendar, day));
  return moments.findLast((moment) => moment <= at);
}

/** The cut-offs of a day, the earliest first. */
function cutOffsOf({ timeZone, cutOffs = [] }: RailCalendar, day: string): readonly number[] {
  const zone = timeZoneOf(timeZone);
  const moments = cutOffs.map((text) => {
    const [, hours, minutes] = MINUTES.exec(text) ?? [];
    return zone.atMinute(day, Number(hours) * 60 + Number(minutes));
  });
  return moments.sort((one, other) => one - other);
}

/** The same time of day, `days` banking days after `from`. */
export function afterBankingDays(
  { calendar }: Pick<RailConnection, "calendar">,
  from: number,
  days: number,
): number {
  const day = timeZoneOf(calendar.timeZone).dayOf(from);
  const later = bankingDayAfter(day, days, calendar.holidays);
  return from + (daysBetween(day, later) - 1) * DAY_MS;
}
