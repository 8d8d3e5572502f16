/** Days of an IANA time zone. The rules of the zones are those of the runtime (`Intl`). */
import { present } from "../assert.ts";

export interface TimeZone {
  /** The first moment whose day in the zone is this one or a later one: days follow each other without gap or overlap. */
  startOfDay(date: string): number;
  /** The start of the day after. */
  endOfDay(date: string): number;
  /** The day of a moment, YYYY-MM-DD. */
  dayOf(at: number): string;
  /** What a clock of the zone shows: YYYY-MM-DD HH:MM:SS. */
  textOf(at: number): string;
  /** The first moment at which a clock of the zone shows this minute of the day or a later one. */
  atMinute(date: string, minute: number): number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The form of IANA names. `Intl` knows other names as well, such as offsets, and refuses unknown ones of this form. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

export function isTimeZoneName(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Whether the date is the last day of its month. */
export function endsMonth(date: string): boolean {
  return new Date(calendarMs(date) + DAY_MS).getUTCDate() === 1;
}

/** The number of calendar days from the first to the last one, both included. */
export function daysBetween(from: string, to: string): number {
  return (calendarMs(to) - calendarMs(from)) / DAY_MS + 1;
}

function calendarMs(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`);
}

function dateText(calendarAt: number): string {
  return new Date(calendarAt).toISOString().slice(0, 10);
}

function formatOf(name: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
}

/** Zones are cached: making a format takes 90 µs, and each payment by a connection needs one. The bound exceeds the number of zones. */
const MOST_KNOWN = 1_000;
const known = new Map<string, TimeZone>();

/** The zone of a name that `isTimeZoneName` accepts. */
export function timeZoneOf(name: string): TimeZone {
  const zone = known.get(name) ?? zoneOf(name);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, zone);
  return zone;
}

function zoneOf(name: string): TimeZone {
  const format = formatOf(name);
  const offsetAt = (at: number) => offsetIn(format.format(at));
  return {
    dayOf: (at) => dateText(at + offsetAt(at)),
    textOf: (at) => new Date(at + offsetAt(at)).toISOString().slice(0, 19).replace("T", " "),
    startOfDay: (date) => firstAtOrAfter(calendarMs(date), offsetAt),
    endOfDay: (date) => firstAtOrAfter(calendarMs(date) + DAY_MS, offsetAt),
    atMinute: (date, minute) => firstAtOrAfter(calendarMs(date) + minute * MINUTE_MS, offsetAt),
  };
}

const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** The offset that ends the text: `10/25/2026, GMT+05:45`; `GMT` alone is zero. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds] = OFFSET.exec(text) ?? [];
  const total = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return (sign === "-" ? -total : total) * 1_000;
}

/** Offsets lie between -16 and +16 hours, so the first moment of a day is within so many hours of midnight in UTC. */
const SPAN_HOURS = 17;

/**
 * The first moment at which a clock of the zone shows this time or a later one. Midnight may be skipped, or shown twice, and
 * some zones have skipped a day. The clock runs on between two changes of the offset, so the moment is at the time minus an
 * offset that is in use around it, or at a change.
 */
function firstAtOrAfter(calendarAt: number, offsetAt: (at: number) => number): number {
  const samples = Array.from(
    { length: 2 * SPAN_HOURS + 1 },
    (_, index) => calendarAt + (index - SPAN_HOURS) * HOUR_MS,
  );
  const offsets = samples.map(offsetAt);
  const changes = samples.flatMap((at, index) => {
    const isChanged = index > 0 && offsets[index] !== offsets[index - 1];
    return isChanged ? [changeBetween(at - HOUR_MS, at, offsetAt)] : [];
  });
  const crossings = [...new Set(offsets)].map((offset) => calendarAt - offset);
  const candidates = [...crossings, ...changes].sort((one, other) => one - other);
  const first = candidates.find((at) => at + offsetAt(at) >= calendarAt);
  return present(first, "a moment at which a day begins");
}

/** The moment of the change of offset between two moments, by binary search. */
function changeBetween(before: number, after: number, offsetAt: (at: number) => number): number {
  const earlier = offsetAt(before);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === earlier) low = middle;
    else high = middle;
  }
  return high;
}
