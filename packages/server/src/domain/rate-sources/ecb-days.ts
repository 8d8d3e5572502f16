/** When the European Central Bank publishes its reference rates: on TARGET days, at about 16:00 in Frankfurt. */
import { timeZoneOf } from "../../std/calendar/time-zone.ts";

const FRANKFURT = timeZoneOf("Europe/Berlin");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PUBLISHED_MINUTE = 16 * 60;
/** 16:05, 16:20 and 17:00. The zone changes its offset on Sundays alone, so these days begin at midnight and have every minute. */
const READ_MINUTES: readonly number[] = [16 * 60 + 5, 16 * 60 + 20, 17 * 60];

/** The moment that the rates of a day are of. */
export function ecbMomentOf(date: string): number {
  return FRANKFURT.startOfDay(date) + PUBLISHED_MINUTE * MINUTE_MS;
}

/** The next moment at which the document is read. */
export function nextEcbReading(at: number): number {
  for (let day = Date.parse(`${FRANKFURT.dayOf(at)}T00:00:00.000Z`); ; day += DAY_MS) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (!isTargetDay(date)) continue;
    const start = FRANKFURT.startOfDay(date);
    const next = READ_MINUTES.map((minute) => start + minute * MINUTE_MS).find((time) => time > at);
    if (next !== undefined) return next;
  }
}

/** Days off in every year, beside Good Friday and Easter Monday. */
const FIXED_DAYS_OFF: ReadonlySet<string> = new Set(["01-01", "05-01", "12-25", "12-26"]);
const GOOD_FRIDAY = -2;
const EASTER_MONDAY = 1;

/** Whether the payment system of the euro is open on this day, YYYY-MM-DD. */
export function isTargetDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00.000Z`);
  const weekday = day.getUTCDay();
  if (weekday === 0 || weekday === 6 || FIXED_DAYS_OFF.has(date.slice(5))) return false;
  const afterEaster = Math.round((day.getTime() - easterOf(day.getUTCFullYear())) / DAY_MS);
  return afterEaster !== GOOD_FRIDAY && afterEaster !== EASTER_MONDAY;
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const leaps = Math.floor(century / 4);
  const moon = Math.floor((century + 8) / 25);
  const shift = Math.floor((century - moon + 1) / 3);
  const epact = (19 * golden + century - leaps - shift + 15) % 30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * correction + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}
