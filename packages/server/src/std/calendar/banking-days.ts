/** Days on which banks work: those of TARGET, of the Federal Reserve, or every weekday but the days that are listed. Days are YYYY-MM-DD. */

export const holidayCalendars = ["NONE", "TARGET", "FEDERAL_RESERVE"] as const;

/** NONE: every day is a banking day. A list names the days off beside Saturdays and Sundays. */
export type Holidays = (typeof holidayCalendars)[number] | readonly string[];

const DAY_MS = 86_400_000;

function calendarMs(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`);
}

export function dayBeside(date: string, days: number): string {
  return new Date(calendarMs(date) + days * DAY_MS).toISOString().slice(0, 10);
}

export function isBankingDay(date: string, holidays: Holidays): boolean {
  if (holidays === "NONE") return true;
  const weekday = new Date(calendarMs(date)).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  if (holidays === "TARGET") return !isTargetHoliday(date);
  if (holidays === "FEDERAL_RESERVE") return !isFederalReserveHoliday(date);
  return !holidays.includes(date);
}

/** The banking day that is `days` banking days after the date; with 0, the date itself or the first banking day after it. */
export function bankingDayAfter(date: string, days: number, holidays: Holidays): string {
  let day = date;
  for (let left = days; left > 0; ) {
    day = dayBeside(day, 1);
    if (isBankingDay(day, holidays)) left -= 1;
  }
  while (!isBankingDay(day, holidays)) day = dayBeside(day, 1);
  return day;
}

/** The last banking day before the date. */
export function bankingDayBefore(date: string, holidays: Holidays): string {
  let day = dayBeside(date, -1);
  while (!isBankingDay(day, holidays)) day = dayBeside(day, -1);
  return day;
}

/** The latest day after which `days` banking days have begun, today included. */
export function lastDayAged(today: string, days: number, holidays: Holidays): string {
  let day = today;
  for (let left = days; left > 0; day = dayBeside(day, -1)) {
    if (isBankingDay(day, holidays)) left -= 1;
  }
  return day;
}

/** The TARGET holidays with a fixed date; Good Friday and Easter Monday depend on the year. */
const TARGET_DAYS_OFF: ReadonlySet<string> = new Set(["01-01", "05-01", "12-25", "12-26"]);
const GOOD_FRIDAY = -2;
const EASTER_MONDAY = 1;

function isTargetHoliday(date: string): boolean {
  if (TARGET_DAYS_OFF.has(date.slice(5))) return true;
  const afterEaster = Math.round((calendarMs(date) - easterOf(Number(date.slice(0, 4)))) / DAY_MS);
  return afterEaster === GOOD_FRIDAY || afterEaster === EASTER_MONDAY;
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

/** Federal holidays with a fixed date. One that falls on a Sunday is observed on the Monday after, one on a Saturday not at all. */
const FEDERAL_DATES: ReadonlySet<string> = new Set(["01-01", "06-19", "07-04", "11-11", "12-25"]);
/** Martin Luther King, Presidents', Labor and Columbus Day, Thanksgiving: month, weekday, and its number within the month. */
const FEDERAL_WEEKDAYS: ReadonlySet<string> = new Set([
  "1 1 3",
  "2 1 3",
  "9 1 1",
  "10 1 2",
  "11 4 4",
]);
const FIRST_JUNETEENTH = 2022;

function isFederalReserveHoliday(date: string): boolean {
  const at = new Date(calendarMs(date));
  const [weekday, month, dayOfMonth] = [at.getUTCDay(), at.getUTCMonth() + 1, at.getUTCDate()];
  if (FEDERAL_WEEKDAYS.has(`${month} ${weekday} ${Math.ceil(dayOfMonth / 7)}`)) return true;
  // Memorial Day is the last Monday of May.
  if (month === 5 && weekday === 1 && dayOfMonth > 24) return true;
  const sunday = weekday === 1 ? dayBeside(date, -1) : date;
  return isFederalDate(date) || isFederalDate(sunday);
}

function isFederalDate(date: string): boolean {
  const isBeforeFirst = date.endsWith("-06-19") && Number(date.slice(0, 4)) < FIRST_JUNETEENTH;
  return FEDERAL_DATES.has(date.slice(5)) && !isBeforeFirst;
}
