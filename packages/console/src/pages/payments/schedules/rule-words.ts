/** The rule of a schedule in words: when it pays, where a day moves to, and when it ends. */
import type { ScheduleRule } from "@florin/client";
import { t, wordOf } from "../../../text/messages.ts";
import { dayText, exactTime } from "../../../text/time.ts";

/** For lists and dialogs: `Every month on day 31, or the last day, at 09:00`. */
export function ruleWords(rule: ScheduleRule): string {
  if (rule.at !== undefined) return t("schedules.once", { time: exactTime(rule.at) });
  return [everyWords(rule), onWords(rule), t("schedules.at", { time: rule.time ?? "" })]
    .filter((part) => part !== "")
    .join(" ");
}

/** What `ruleWords` leaves out, one sentence each: the zone, banking days and the end. */
export function ruleNotes(rule: ScheduleRule): readonly string[] {
  if (rule.at !== undefined) return [];
  const { timeZone = "", holidays = "NONE", adjust = "NONE", until, count, from } = rule;
  const isMoved = holidays !== "NONE" && adjust !== "NONE";
  return [
    t("schedules.inZone", { zone: timeZone }),
    ...(isMoved
      ? [
          t(adjust === "PREVIOUS" ? "schedules.moved.PREVIOUS" : "schedules.moved.NEXT", {
            calendar: wordOf("holidays", holidays),
          }),
        ]
      : []),
    ...(from === undefined ? [] : [t("schedules.firstDay", { day: dayText(from) })]),
    ...(until === undefined ? [] : [t("schedules.untilDay", { day: dayText(until) })]),
    ...(count === undefined ? [] : [t("schedules.times", { count })]),
  ];
}

/** The period of a rule of this version. */
export function periodOf(every: string | undefined): "DAY" | "WEEK" | "MONTH" {
  return every === "DAY" || every === "WEEK" ? every : "MONTH";
}

function everyWords({ every, interval = 1 }: ScheduleRule): string {
  const period = periodOf(every);
  return interval === 1
    ? t(`schedules.every.${period}`)
    : t(`schedules.everyNth.${period}`, { count: interval });
}

/** Shorter months than this day are told of. */
const SHORTEST_MONTH = 28;

function onWords({ every, on }: ScheduleRule): string {
  if (on === undefined || every === "DAY") return "";
  if (typeof on !== "number") return t("schedules.onWeekday", { day: wordOf("weekday", on) });
  const key = on > SHORTEST_MONTH ? "schedules.onLastDay" : "schedules.onDay";
  return t(key, { day: on });
}
