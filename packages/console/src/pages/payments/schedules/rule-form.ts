/** The rule of a new schedule as fields of a form. Each value is a text; the rule is read from them. */
import type { CreatePaymentScheduleBody, ScheduleRule } from "@florin/client";
import { type FormField, FormProblem, type FormValues } from "../../../act/act-spec.ts";
import { hostZone } from "../../../std/host.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { dateField } from "./date-field.tsx";
import { periodOf } from "./rule-words.ts";

export const ONCE = "ONCE";

const WEEKDAYS = [
  "MONDAY",
  "TUESDAY",
  "WEDNESDAY",
  "THURSDAY",
  "FRIDAY",
  "SATURDAY",
  "SUNDAY",
] as const;

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => String(index + 1)).map((value) => ({
    value,
    label: value,
  }));

export const repeatField = (): FormField => ({
  name: "every",
  label: "schedules.repeat",
  kind: "choice",
  initial: "MONTH",
  choices: stateChoices([ONCE, "DAY", "WEEK", "MONTH"], "schedules.repeat"),
  field: "rule.every",
});

/** The fields that depend on how often it pays. */
export function ruleFields(values: FormValues): readonly FormField[] {
  const { every } = values;
  if (every === ONCE)
    return [
      dateField({ name: "from", label: "schedules.day", field: "rule.at" }),
      timeField("rule.at"),
    ];
  return [
    {
      name: "interval",
      label: "schedules.interval",
      kind: "choice",
      initial: "1",
      choices: numbers(12).map(({ value }) => ({
        value,
        label:
          value === "1"
            ? wordOf("schedules.every", every ?? "DAY")
            : t(`schedules.everyNth.${periodOf(every)}`, { count: Number(value) }),
      })),
      field: "rule.interval",
    },
    ...(every === "WEEK" ? [onField(stateChoices(WEEKDAYS, "weekday"))] : []),
    ...(every === "MONTH" ? [onField(numbers(31), t("schedules.shortMonths"))] : []),
    timeField("rule.time"),
    {
      name: "zone",
      label: "schedules.zone",
      kind: "text",
      initial: hostZone(),
      hint: t("schedules.zoneHint"),
      field: "rule.timeZone",
    },
    dateField({
      name: "from",
      label: "schedules.from",
      field: "rule.from",
      hint: t("schedules.fromHint"),
      isOptional: true,
    }),
    ...bankingFields(values),
    ...endFields(values),
  ];
}

function bankingFields({ holidays }: FormValues): readonly FormField[] {
  const isMoved = holidays !== undefined && holidays !== "" && holidays !== "NONE";
  return [
    {
      name: "holidays",
      label: "schedules.holidays",
      kind: "choice",
      initial: "NONE",
      choices: stateChoices(["NONE", "TARGET", "FEDERAL_RESERVE"], "holidays"),
      field: "rule.holidays",
    },
    ...(isMoved
      ? [
          {
            name: "adjust",
            label: "schedules.adjust",
            kind: "choice",
            initial: "NEXT",
            choices: stateChoices(["NEXT", "PREVIOUS"], "schedules.adjust"),
            field: "rule.adjust",
          } as const,
        ]
      : []),
  ];
}

function endFields({ ends }: FormValues): readonly FormField[] {
  return [
    {
      name: "ends",
      label: "schedules.ends",
      kind: "choice",
      initial: "NEVER",
      choices: stateChoices(["NEVER", "UNTIL", "COUNT"], "schedules.ends"),
    },
    ...(ends === "UNTIL"
      ? [dateField({ name: "until", label: "schedules.until", field: "rule.until" })]
      : []),
    ...(ends === "COUNT"
      ? [{ name: "count", label: "schedules.count", kind: "text", field: "rule.count" } as const]
      : []),
  ];
}

function timeField(field: string): FormField {
  return {
    name: "time",
    label: "schedules.time",
    kind: "text",
    initial: "09:00",
    placeholder: "09:00",
    field,
  };
}

function onField(choices: readonly { value: string; label: string }[], hint?: string): FormField {
  return { name: "on", label: "schedules.on", kind: "choice", choices, hint, field: "rule.on" };
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

type RuleBody = CreatePaymentScheduleBody["rule"];

/** The rule, or the fields that are missing or wrong. */
export function readRule(values: FormValues): RuleBody {
  const { every, time = "", from = "" } = values;
  const wrong: Record<string, string> = {};
  if (!TIME.test(time)) wrong.time = t("schedules.noTime");
  if (every === ONCE) {
    if (!DAY.test(from)) wrong.from = t("schedules.noDay");
    refuse(wrong);
    return { at: new Date(`${from}T${time}:00`).toISOString() };
  }
  const { on = "", interval = "1", zone = "", holidays = "NONE", adjust, ends } = values;
  const { until = "", count = "" } = values;
  if (every !== "DAY" && on === "") wrong.on = t("payments.choose");
  if (zone === "") wrong.zone = t("schedules.noZone");
  if (ends === "UNTIL" && !DAY.test(until)) wrong.until = t("schedules.noDay");
  if (ends === "COUNT" && !/^[1-9]\d{0,3}$/.test(count)) wrong.count = t("schedules.noCount");
  refuse(wrong);
  const period = periodOf(every);
  return {
    every: period,
    interval: Number(interval || "1"),
    time,
    timeZone: zone,
    ...(period === "DAY" ? {} : { on: onOf(period, on) }),
    ...(from === "" ? {} : { from }),
    ...(holidays === "NONE" || holidays === ""
      ? {}
      : { holidays: holidays as "TARGET", adjust: adjust === "PREVIOUS" ? adjust : "NEXT" }),
    ...(ends === "UNTIL" ? { until } : {}),
    ...(ends === "COUNT" ? { count: Number(count) } : {}),
  };
}

function onOf(every: "WEEK" | "MONTH", on: string): NonNullable<ScheduleRule["on"]> {
  return every === "MONTH" ? Number(on) : (on as (typeof WEEKDAYS)[number]);
}

function refuse(wrong: Readonly<Record<string, string>>): void {
  if (Object.keys(wrong).length > 0) throw new FormProblem(wrong);
}
