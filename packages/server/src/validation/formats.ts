import { isCalendarDate } from "../std/calendar/calendar-date.ts";

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(?:[Zz]|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/**
 * A date and time with a zone, whose year in UTC has four digits. Leap seconds are refused, because JavaScript's Date has none.
 * Offsets of 16 hours and more are refused, because PostgreSQL does not accept them.
 */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match?.[1] === undefined || !isCalendarDate(match[1])) return false;
  const epochMs = Date.parse(text.toUpperCase());
  return epochMs >= FIRST_MS && epochMs <= LAST_MS;
}

const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** E.164; spaces and hyphens between the digits are allowed. */
export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{1,14}$/.test(text.replace(/[ -]/g, ""));
}
