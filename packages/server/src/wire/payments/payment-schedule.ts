import Type, { type Static } from "typebox";
import { toExternalAccountId } from "../../domain/accounts/external/external-account.ts";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import {
  type LastRun,
  type PaymentSchedule,
  runStatuses,
  runTriggers,
  type ScheduleRun,
  scheduleStatuses,
} from "../../domain/payments/schedules/payment-schedule.ts";
import {
  adjustments,
  MOST_INTERVAL,
  periods,
  type ScheduleRule,
  weekdays,
} from "../../domain/payments/schedules/schedule-rule.ts";
import {
  type KeptPayment,
  keptPaymentKinds,
} from "../../domain/payments/transfers/kept-payment.ts";
import { holidayCalendars } from "../../std/calendar/banking-days.ts";
import { toIso } from "../../std/clock.ts";
import { formedText, requestAmount } from "../../validation/schema.ts";
import { DateTimeSchema, filledText } from "../fields.ts";
import { exampleId } from "../id-fields.ts";
import { descriptionField, MetadataSchema } from "../metadata.ts";
import { partiesSchema } from "../reading/party.ts";
import { listedText } from "../value-lists.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const scheduleNameField = filledText(80, {
  description: "Shown to everyone who reads payments, so it should hold no personal data.",
});

const onSchema = Type.Union([Type.Enum([...weekdays]), Type.Integer({ minimum: 1, maximum: 31 })], {
  description:
    "A weekday for `WEEK`, a day of the month for `MONTH`; a month that is shorter has its last day. That of the first day when absent.",
});

const dateField = (description: string) =>
  Type.Optional(Type.String({ format: "date", description }));

const MOST_COUNT = 10_000;

/** In requests the operation judges which members go together; in answers the defaults are filled in. */
export const RuleSchema = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Once, at this time; no other member then.",
      }),
    ),
    every: Type.Optional(Type.Enum([...periods])),
    interval: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_INTERVAL,
        description: "Every second, third … day, week or month. 1 when absent.",
      }),
    ),
    on: Type.Optional(onSchema),
    time: Type.Optional(
      formedText("^([01][0-9]|2[0-3]):[0-5][0-9]$", "must be a time of the day, such as 09:30", {
        description:
          "On the clock of `timeZone`. A time that the clock skips is due at the end of the gap, one that it shows twice the first time.",
      }),
    ),
    timeZone: Type.Optional(
      Type.String({ maxLength: 64, description: "An IANA name, such as Europe/Berlin." }),
    ),
    holidays: Type.Optional(
      Type.Enum([...holidayCalendars], {
        description: "The calendar of `adjust`. `NONE` when absent: every day is a banking day.",
      }),
    ),
    adjust: Type.Optional(
      Type.Enum([...adjustments], {
        description:
          "Where a day moves that is no banking day. Without `holidays` `NONE`, else `NEXT` when absent.",
      }),
    ),
    from: dateField("No due day is before this one, and the interval counts from the first."),
    until: dateField("No due day is after this one, before `adjust` moves it."),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_COUNT, description: "The number of due times." }),
    ),
  },
  { $id: "ScheduleRule" },
);
export type RuleBody = Static<typeof RuleSchema>;

export const TemplateBody = Type.Object(
  {
    kind: Type.Enum([...keptPaymentKinds], {
      description: "`TRANSFER_OUT`: as by `POST /transfer-out`. `BOOK`: as by `POST /transfers`.",
    }),
    source: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
    destination: Type.Object({
      accountId: Type.String({ description: "An external account; for `BOOK` an internal one." }),
      paymentRail: Type.Optional(listedText("PaymentRail", { maxLength: 64 })),
    }),
    amount: requestAmount(),
    description: descriptionField,
    metadata: Type.Optional(MetadataSchema),
    remittanceInformation: Type.Optional(Type.String({ maxLength: 80 })),
  },
  { $id: "ScheduledPayment" },
);
export type TemplateBody = Static<typeof TemplateBody>;

export const RetryBody = Type.Object(
  {
    times: Type.Integer({ minimum: 0, maximum: 5 }),
    everyMinutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
  },
  {
    $id: "ScheduleRetry",
    description: "How a run is tried again that `INSUFFICIENT_BALANCE` has refused.",
  },
);

/** A template as the request that makes it. */
export function templateJson(kept: KeptPayment): TemplateBody {
  const { kind, sourceId, destinationId, minor, paymentRail, ...rest } = kept;
  const destination =
    kind === "BOOK" ? toInternalAccountId(destinationId) : toExternalAccountId(destinationId);
  return {
    kind,
    source: { accountId: toInternalAccountId(sourceId) },
    destination: {
      accountId: destination,
      ...(paymentRail === undefined ? {} : { paymentRail }),
    },
    amount: Number(minor),
    ...rest,
  };
}

const RunErrorSchema = Type.Object(
  {
    code: listedText("RefusalCode"),
    message: Type.String(),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { $id: "ScheduleRunError", description: "Why the run was refused." },
);

const STATUS_TEXT =
  "`CREATED`: the payment was made; what became of it is in its transaction. `WAITING`: refused for the balance, and tried again at " +
  "`retryAt`. `MISSED`: the server was down for more than a day.";

const lastRun = wireObject({}, ({ of, maybe }: Kit<LastRun>) => ({
  id: of.id("ScheduleRun", { example: 31 }),
  dueAt: of.time({ example: "2026-12-01T08:00:00.000Z" }),
  status: of.enum(runStatuses, { description: STATUS_TEXT, example: "CREATED" }),
  transactionId: maybe.id("Transaction", { example: 4 }),
  error: maybe.json(RunErrorSchema),
  retryAt: maybe.time(),
}));

const ruleExample = {
  every: "MONTH",
  interval: 1,
  on: 1,
  time: "09:00",
  timeZone: "Europe/Berlin",
  holidays: "TARGET",
  adjust: "NEXT",
  from: "2026-12-01",
} as const satisfies ScheduleRule;

const templateExample: TemplateBody = {
  kind: "TRANSFER_OUT",
  source: { accountId: exampleId("InternalAccount") },
  destination: { accountId: exampleId("ExternalAccount", "3") },
  amount: 120_000,
  description: "Rent",
};

export const createScheduleExample = {
  name: "Rent of the office",
  template: templateExample,
  rule: {
    every: "MONTH",
    on: 1,
    time: "09:00",
    timeZone: "Europe/Berlin",
    holidays: "TARGET",
    adjust: "NEXT",
  },
  retry: { times: 3, everyMinutes: 60 },
};

export const wirePaymentSchedule = wireObject(
  "PaymentSchedule",
  ({ of, maybe }: Kit<PaymentSchedule>) => ({
    id: of.id("PaymentSchedule", { example: 30 }),
    name: of.text({ example: "Rent of the office" }),
    status: of.enum(scheduleStatuses, { example: "ACTIVE" }),
    template: of.json(TemplateBody, {
      from: ({ template }) => templateJson(template),
      example: templateExample,
    }),
    currency: of.currency({ example: "EUR" }),
    rule: of.json(RuleSchema, { example: ruleExample }),
    retry: maybe.json(RetryBody, { example: { times: 3, everyMinutes: 60 } }),
    nextAt: maybe.time({
      description: "The next due time. Absent unless `ACTIVE`.",
      example: "2027-01-01T08:00:00.000Z",
    }),
    lastRun: maybe.object(lastRun, { example: lastRun.example }),
    runs: of.integer({
      description: "How many runs were made or refused; missed and skipped ones do not count.",
      example: 1,
    }),
    parties: maybe.json(partiesSchema(["from", "to"]), { from: () => undefined }),
    createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
    updatedAt: of.time({ example: "2026-12-01T08:00:00.000Z" }),
  }),
);

export const wireScheduleRun = wireObject("ScheduleRun", ({ of, maybe }: Kit<ScheduleRun>) => ({
  id: of.id("ScheduleRun", { example: 31 }),
  scheduleId: of.id("PaymentSchedule", { example: 30 }),
  dueAt: of.time({ example: "2026-12-01T08:00:00.000Z" }),
  trigger: of.enum(runTriggers, {
    description: "`RULE`: due by the rule. `CALL`: made at once by a call.",
    example: "RULE",
  }),
  status: of.enum(runStatuses, { description: STATUS_TEXT, example: "CREATED" }),
  transactionId: maybe.id("Transaction", { example: 4 }),
  error: maybe.json(RunErrorSchema),
  attempts: of.integer({ example: 1 }),
  retryAt: maybe.time(),
  createdAt: of.time({ example: "2026-12-01T08:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-12-01T08:00:00.000Z" }),
}));

export const failedScheduleExample = {
  ...wirePaymentSchedule.example,
  lastRun: {
    id: lastRun.example.id,
    dueAt: lastRun.example.dueAt,
    status: "WAITING",
    error: {
      code: "INSUFFICIENT_BALANCE",
      message: "The account's available balance is lower than the amount that is needed.",
    },
    retryAt: "2026-12-01T09:00:00.000Z",
  },
};

export const missedScheduleExample = {
  ...wirePaymentSchedule.example,
  lastRun: { id: lastRun.example.id, dueAt: lastRun.example.dueAt, status: "MISSED" },
};

export const DueTimeSchema = Type.Object({
  dueAt: DateTimeSchema,
  localTime: Type.Optional(
    Type.String({ description: "What the clock of the rule's `timeZone` shows then." }),
  ),
});

/** The JSON of a due time; `local` tells what the clock of the zone shows. */
export function dueTimeJson(dueAt: number, local: ((at: number) => string) | undefined) {
  return {
    dueAt: toIso(dueAt),
    ...(local === undefined ? {} : { localTime: local(dueAt).slice(0, 16) }),
  };
}
