import type { ScheduleRule } from "@florin/client";
import { beforeAll, expect, it } from "vitest";
import { FormProblem } from "../../../act/act-spec.ts";
import { allTexts } from "../../../text/messages.ts";
import { readRule } from "./rule-form.ts";
import { ruleNotes, ruleWords } from "./rule-words.ts";

beforeAll(allTexts);

const DAILY: ScheduleRule = { every: "DAY", interval: 1, time: "09:00", timeZone: "UTC" };

it.each<[ScheduleRule, string]>([
  [DAILY, "Every day at 09:00"],
  [{ ...DAILY, interval: 3 }, "Every 3 days at 09:00"],
  [{ ...DAILY, every: "WEEK", on: "FRIDAY" }, "Every week on Friday at 09:00"],
  [{ ...DAILY, every: "MONTH", on: 28 }, "Every month on day 28 at 09:00"],
  [
    { ...DAILY, every: "MONTH", interval: 6, on: 31 },
    "Every 6 months on day 31 or the last one at 09:00",
  ],
])("%j is %s", (rule, words) => {
  expect(ruleWords(rule)).toBe(words);
});

it("says where it moves and when it ends", () => {
  const rule = { ...DAILY, holidays: "TARGET", adjust: "PREVIOUS", count: 12 } as const;
  expect(ruleNotes(rule)).toEqual([
    "On the clock of UTC.",
    "A day off moves to the banking day before (TARGET, euro).",
    "12 times in all.",
  ]);
});

const VALUES = { every: "MONTH", on: "31", time: "09:30", zone: "Europe/Berlin", interval: "2" };

it("a form is read as a rule", () => {
  expect(readRule({ ...VALUES, holidays: "TARGET", ends: "COUNT", count: "3" })).toEqual({
    every: "MONTH",
    interval: 2,
    on: 31,
    time: "09:30",
    timeZone: "Europe/Berlin",
    holidays: "TARGET",
    adjust: "NEXT",
    count: 3,
  });
  expect(readRule({ ...VALUES, every: "DAY", ends: "UNTIL", until: "2027-01-31" })).toMatchObject({
    every: "DAY",
    until: "2027-01-31",
  });
});

it.each<[Readonly<Record<string, string>>, readonly string[]]>([
  [{ ...VALUES, time: "9" }, ["time"]],
  [{ ...VALUES, on: "", zone: "" }, ["on", "zone"]],
  [{ ...VALUES, ends: "COUNT", count: "0" }, ["count"]],
  [{ every: "ONCE", time: "09:00", from: "" }, ["from"]],
])("%j is no rule", (values, wrong) => {
  let found: unknown;
  try {
    readRule(values);
  } catch (error) {
    found = error;
  }
  expect(found).toBeInstanceOf(FormProblem);
  expect(Object.keys((found as FormProblem).fields)).toEqual(wrong);
});
