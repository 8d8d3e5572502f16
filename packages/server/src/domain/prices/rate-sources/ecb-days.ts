/** When the European Central Bank publishes its reference rates: on TARGET days, at about 16:00 in Frankfurt. */
import { isBankingDay } from "../../../std/calendar/banking-days.ts";
import { timeZoneOf } from "../../../std/calendar/time-zone.ts";

const FRANKFURT = timeZoneOf("Europe/Berlin");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PUBLISHED_MINUTE = 16 * 60;
/** 16:05, 16:20 and 17:00. The zone changes its offset on Sundays only, so banking days have every minute, counted from midnight. */
const READ_MINUTES: readonly number[] = [16 * 60 + 5, 16 * 60 + 20, 17 * 60];

/** The time at which the rates of a day are published. */
export function ecbMomentOf(date: string): number {
  return FRANKFURT.startOfDay(date) + PUBLISHED_MINUTE * MINUTE_MS;
}

/** The next moment at which the document is read. */
export function nextEcbReading(at: number): number {
  for (let day = Date.parse(`${FRANKFURT.dayOf(at)}T00:00:00.000Z`); ; day += DAY_MS) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (!isBankingDay(date, "TARGET")) continue;
    const start = FRANKFURT.startOfDay(date);
    const next = READ_MINUTES.map((minute) => start + minute * MINUTE_MS).find((time) => time > at);
    if (next !== undefined) return next;
  }
}
