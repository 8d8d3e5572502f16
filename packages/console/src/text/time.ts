/** Formats times in the person's time zone, relative to now within a day. */
import { hostLanguage, hostZone, now } from "../std/host.ts";
import { t } from "./messages.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let aheadMs = 0;

/** The clock of the open sandbox may be ahead of this browser's. */
export function setClockAhead(ms: number): void {
  aheadMs = ms;
}

/** The time of the open platform, to which times of its objects are relative. */
export function platformNow(): number {
  return now() + aheadMs;
}

const zone = hostZone();
/** The texts are English; an English-speaking browser keeps its own order of day and month. */
const language = hostLanguage().startsWith("en") ? hostLanguage() : "en-GB";

const dayAndTime = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: zone,
});
const dayOfYear = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: zone,
});
const exact = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZone: zone,
  timeZoneName: "short",
});

const plainDay = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

const hourOfDay = new Intl.DateTimeFormat(language, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: zone,
});
const secondOfDay = new Intl.DateTimeFormat(language, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZone: zone,
});
const dayOfMonth = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  timeZone: zone,
});

/** Formats a time as `14:00`, in the person's time zone. */
export function shortHour(iso: string): string {
  return hourOfDay.format(Date.parse(iso));
}

/** Formats a time as `14:00:07`, in the person's time zone. */
export function clockTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : secondOfDay.format(at);
}

/** Formats a day as `26 Nov`, in the person's time zone. */
export function shortDay(iso: string): string {
  return dayOfMonth.format(Date.parse(iso));
}

/** Formats a day, `2026-11-21`, which has no time and no zone. */
export function dayText(day: string): string {
  const at = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(at) ? day : plainDay.format(at);
}

const plainDayOfMonth = new Intl.DateTimeFormat(language, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Formats a day without its year, for the head of a column: `Sat 21 Nov`. */
export function columnDay(day: string): string {
  return plainDayOfMonth.format(Date.parse(`${day}T00:00:00Z`));
}

/** The number of days since a day, in UTC. */
export function daysSince(day: string): number {
  return Math.max(0, Math.floor((platformNow() - Date.parse(`${day}T00:00:00Z`)) / DAY));
}

/** For lists: relative within a day, then day and time, then the date. `isOfServer`: the time is no time of the platform. */
export function shortTime(iso: string, isOfServer = false): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const passed = (isOfServer ? now() : platformNow()) - at;
  if (Math.abs(passed) < DAY) return relative(passed);
  return (Math.abs(passed) < 300 * DAY ? dayAndTime : dayOfYear).format(at);
}

/** How long ago: `12 min`, `3 h`, `2 d 4 h`. */
export function ageOf(iso: string): string {
  const passed = Math.max(0, platformNow() - Date.parse(iso));
  if (passed < HOUR) return t("age.minutes", { count: Math.floor(passed / MINUTE) });
  const hours = Math.floor(passed / HOUR);
  if (passed < 2 * DAY) return t("age.hours", { count: hours });
  return t("age.days", { days: Math.floor(hours / 24), hours: hours % 24 });
}

export function exactTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : exact.format(at);
}

export function utcTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : new Date(at).toISOString();
}

function relative(passed: number): string {
  const isPast = passed >= 0;
  const distance = Math.abs(passed);
  if (distance < MINUTE) return t(isPast ? "time.now" : "time.soon");
  if (distance < HOUR) {
    const count = Math.floor(distance / MINUTE);
    return t(isPast ? "time.minutesAgo" : "time.inMinutes", { count });
  }
  const count = Math.floor(distance / HOUR);
  return t(isPast ? "time.hoursAgo" : "time.inHours", { count });
}

export function zoneName(): string {
  return zone;
}

/** The moment this number of days ago: the start of a filter's period. */
export function daysAgo(days: number): string {
  return new Date(now() - days * DAY).toISOString();
}

/** The first and the last moment of a month in UTC: the current one, or an earlier one. */
export function monthBounds(back: number): readonly [since: string, until: string] {
  const today = new Date(platformNow());
  const start = (months: number) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1);
  return [new Date(start(back)).toISOString(), new Date(start(back + 1) - 1).toISOString()];
}
