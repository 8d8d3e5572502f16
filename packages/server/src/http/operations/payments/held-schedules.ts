/** Payment schedules as orders: their inputs from validated bodies, when they are requested and when they are carried out. */
import Type, { type Static } from "typebox";
import { metadataOf } from "../../../domain/metadata.ts";
import type {
  CreateScheduleInput,
  UpdateScheduleInput,
} from "../../../domain/payments/schedules/create-schedule.ts";
import {
  type AskedRule,
  type OnceRule,
  type ScheduleRule,
  type Weekday,
  weekdays,
} from "../../../domain/payments/schedules/schedule-rule.ts";
import type { KeptPayment } from "../../../domain/payments/transfers/kept-payment.ts";
import type { ShownSchedule } from "../../../domain/people/approvals/held-schedules.ts";
import { type CodedFault, invalid, refuseFaults } from "../../../engine/refusal.ts";
import { isTimeZoneName } from "../../../std/calendar/time-zone.ts";
import { toIso } from "../../../std/clock.ts";
import { withoutUndefined } from "../../../std/json.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  RetryBody,
  type RuleBody,
  RuleSchema,
  scheduleNameField,
  TemplateBody,
} from "../../../wire/payments/payment-schedule.ts";
import type { Services } from "../../request/services.ts";
import { bookTransferInput, transferOutInput } from "./held-transfers.ts";

type Rails = Pick<Services, "rails">;

export const CreateScheduleBody = Type.Object({
  name: scheduleNameField,
  template: TemplateBody,
  rule: RuleSchema,
  retry: Type.Optional(RetryBody),
});

export const UpdateScheduleBody = Type.Object({
  name: Type.Optional(scheduleNameField),
  template: Type.Optional(TemplateBody),
  rule: Type.Optional(RuleSchema),
  retry: Type.Optional(Type.Union([RetryBody, Type.Null()])),
});

export function createScheduleInput(
  { name, template, rule, retry }: Static<typeof CreateScheduleBody>,
  { rails }: Rails,
): CreateScheduleInput {
  return {
    name,
    template: keptIn(template, { rails }),
    rule: ruleIn(rule),
    retry: retry ?? null,
    rails,
  };
}

export function scheduleChange(
  { name, template, rule, retry }: Static<typeof UpdateScheduleBody>,
  { rails }: Rails,
): UpdateScheduleInput["change"] {
  return withoutUndefined({
    name,
    template: template && keptIn(template, { rails }),
    rule: rule && ruleIn(rule),
    retry,
  }) as UpdateScheduleInput["change"];
}

export function requireScheduleId(raw: string): string {
  return requireId("PaymentSchedule", raw, "REFERENCE_NOT_FOUND");
}

/** A schedule as approvers are shown it. */
export const ShownBody = Type.Object({
  name: Type.String(),
  currency: Type.String(),
  template: TemplateBody,
  rule: Type.Unsafe<ScheduleRule>(RuleSchema),
});

/** The content of an order about a schedule: the change, and the schedule as it is. */
export const ChangeContent = Type.Object({
  ...UpdateScheduleBody.properties,
  scheduleId: Type.String(),
  before: ShownBody,
});

export function agreedChange(
  { scheduleId, before, ...body }: Static<typeof ChangeContent>,
  services: Rails,
): UpdateScheduleInput & { readonly shown: ShownSchedule } {
  return {
    scheduleId: requireScheduleId(scheduleId),
    change: scheduleChange(body, services),
    rails: services.rails,
    shown: shownIn(before, services),
  };
}

export const RunContent = Type.Object({ scheduleId: Type.String(), ...ShownBody.properties });

export function agreedRun({ scheduleId, ...shown }: Static<typeof RunContent>, services: Rails) {
  return {
    scheduleId: requireScheduleId(scheduleId),
    rails: services.rails,
    shown: shownIn(shown, services),
  };
}

function shownIn(
  { template, rule }: Pick<Static<typeof ShownBody>, "template" | "rule">,
  services: Rails,
): ShownSchedule {
  return { template: keptIn(template, services), rule };
}

/** The template as it is kept: the ids are read, and refused, as in the call that makes the payment. */
function keptIn(body: TemplateBody, services: Rails): KeptPayment {
  const { kind, amount, description, remittanceInformation } = body;
  const { paymentRail } = body.destination;
  const metadata = metadataOf(body.metadata);
  const bank = kind === "BOOK" ? {} : { paymentRail, remittanceInformation };
  return withoutUndefined({
    kind,
    ...sidesIn(body, services),
    minor: String(amount),
    ...bank,
    description,
    metadata: metadata ?? undefined,
  }) as KeptPayment;
}

function sidesIn(
  body: TemplateBody,
  services: Rails,
): Pick<KeptPayment, "sourceId" | "destinationId"> {
  if (body.kind === "BOOK") {
    const { sourceId, destinationId } = bookTransferInput(body);
    return { sourceId, destinationId };
  }
  const { internalId, externalId } = transferOutInput(body, services);
  return { sourceId: internalId, destinationId: externalId };
}

const RECURRING = [
  "interval",
  "on",
  "time",
  "timeZone",
  "holidays",
  "adjust",
  "from",
  "until",
  "count",
] as const;

/** The faults of a rule that its schema cannot express. The schema judges the types of the same rule, so any member may have another type. */
export function faultsOfRule(rule: RuleBody, field = "rule"): readonly CodedFault[] {
  const at = (name: string, message: string) => invalid(`${field}.${name}`, message);
  if (rule.at !== undefined) {
    const others = (["every", ...RECURRING] as const).filter((name) => rule[name] !== undefined);
    return others.map((name) => at(name, "has no place beside at, which is one time"));
  }
  if (rule.every === undefined) return [at("every", "is missing; a rule has either at or every")];
  const { every, time, timeZone, holidays = "NONE", adjust, from, until, count } = rule;
  const faults: CodedFault[] = [];
  if (time === undefined)
    faults.push(at("time", "is missing; it is the time of the day, such as 09:30"));
  if (timeZone === undefined || (typeof timeZone === "string" && !isTimeZoneName(timeZone))) {
    faults.push(at("timeZone", "must be the IANA name of a time zone, such as Europe/Berlin"));
  }
  const complaint = complaintOfDay(every, rule.on);
  if (complaint !== undefined) faults.push(at("on", complaint));
  if (holidays === "NONE" && adjust !== undefined && adjust !== "NONE") {
    faults.push(at("adjust", "needs holidays, the calendar of banking days"));
  }
  if (until !== undefined && count !== undefined) {
    faults.push(at("count", "has no place beside until"));
  }
  if (typeof from === "string" && typeof until === "string" && until < from) {
    faults.push(at("until", "must not be before from"));
  }
  return faults;
}

function complaintOfDay(every: NonNullable<RuleBody["every"]>, on: unknown): string | undefined {
  if (on === undefined) return undefined;
  if (every === "DAY") return "has no place in a rule of every day";
  if (every === "WEEK") {
    return weekdays.includes(on as Weekday) ? undefined : `must be one of ${weekdays.join(", ")}`;
  }
  const isDay = typeof on === "number" && Number.isInteger(on) && on >= 1 && on <= 31;
  return isDay ? undefined : "must be a day of the month, 1 to 31";
}

/** The rule with its defaults. Refuses the faults that its schema cannot express. */
function ruleIn(rule: RuleBody): OnceRule | AskedRule {
  refuseFaults(faultsOfRule(rule));
  if (rule.at !== undefined) return { at: toIso(Date.parse(rule.at.toUpperCase())) };
  const { every = "DAY", interval = 1, on, time = "", timeZone = "", from, until, count } = rule;
  const { holidays = "NONE", adjust = holidays === "NONE" ? "NONE" : "NEXT" } = rule;
  const members = { every, interval, on, time, timeZone, holidays, adjust, from, until, count };
  return withoutUndefined(members) as AskedRule;
}
