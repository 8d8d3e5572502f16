const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(?:[Zz]|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/** A day of the calendar from year 1 on; PostgreSQL and `Date` know no year 0. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= daysIn(year, month);
}

/**
 * A moment with a zone whose year in UTC has four digits. Leap seconds are refused: no clock of ours can hold one. So are
 * zones 16 hours and more away: nobody lives there, and PostgreSQL knows none.
 */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match?.[1] === undefined || !isDate(match[1])) return false;
  const epochMs = Date.parse(text.toUpperCase());
  return epochMs >= FIRST_MS && epochMs <= LAST_MS;
}

const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** E.164, as telephones are written down for machines. */
export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{1,14}$/.test(text);
}
