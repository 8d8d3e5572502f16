/** The calendar of a connection: its zone and the days on which its bank works. Without one, every weekday is a banking day, in UTC. */
import { bankingDayAfter, type Holidays, lastDayAged } from "../../../std/calendar/banking-days.ts";
import { daysBetween, timeZoneOf } from "../../../std/calendar/time-zone.ts";
import type { RailConnection } from "./rail-connection.ts";

export type RailCalendar = { readonly timeZone: string; readonly holidays: Holidays };

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
