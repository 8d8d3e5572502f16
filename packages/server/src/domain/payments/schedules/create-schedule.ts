import type { Command, World } from "../../../engine/command.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { canonicalJson } from "../../../std/json.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import {
  askerIn,
  type KeptPayment,
  keptPaymentNeeds,
  refuseImpossible,
} from "../transfers/kept-payment.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import {
  dueAfter,
  type PaymentSchedule,
  paymentSchedules,
  requireScheduleIn,
  type ScheduleRetry,
  withNext,
} from "./payment-schedule.ts";
import { type AskedRule, anchored, type OnceRule, type ScheduleRule } from "./schedule-rule.ts";

export interface CreateScheduleInput {
  readonly name: string;
  readonly template: KeptPayment;
  readonly rule: OnceRule | AskedRule;
  readonly retry: ScheduleRetry | null;
  readonly rails: RailRulesOf;
}

/**
 * Creates a schedule. Refuses, in this order: whatever the single call of the template refuses now, except for a balance that is too low;
 * a rule that begins more than ten years ahead; one without a due time.
 */
export const createSchedule: Command<CreateScheduleInput, PaymentSchedule> = {
  name: "create-payment-schedule",
  needs: (world, { template }) => keptPaymentNeeds(world, template),
  decide(world, { name, template, rule, retry, rails }) {
    refuseImpossible(world, template, rails);
    const planned = { rule: firstRule(world, rule), passed: 0, lastDueAt: null };
    const schedule: PaymentSchedule = {
      id: world.newId(),
      name,
      template,
      currency: currencyOf(world, template),
      asker: askerIn(world),
      ...planned,
      retry,
      status: "ACTIVE",
      isStopped: false,
      nextAt: null,
      jobId: null,
      runs: 0,
      lastRun: null,
      createdAt: world.at,
      updatedAt: world.at,
    };
    return world.put(paymentSchedules, withNext(world, schedule, world.at));
  },
};

export interface UpdateScheduleInput {
  readonly scheduleId: string;
  readonly change: Partial<Pick<CreateScheduleInput, "name" | "template" | "rule" | "retry">>;
  readonly rails: RailRulesOf;
}

export interface ScheduleChange {
  readonly before: PaymentSchedule;
  readonly after: PaymentSchedule;
}

/**
 * Changes a schedule. A new rule begins now. Refuses, in this order: an unknown schedule; one that has ended; whatever `createSchedule`
 * refuses of a new template and of a new rule.
 */
export const updateSchedule: Command<UpdateScheduleInput, ScheduleChange> = {
  name: "update-payment-schedule",
  needs(world, { scheduleId, change }) {
    const ref = paymentSchedules.ref(scheduleId);
    const template = change.template ?? world.find(ref)?.template;
    return template === undefined ? [ref] : [ref, ...keptPaymentNeeds(world, template)];
  },
  decide(world, { scheduleId, change: { rule: asked, ...members }, rails }) {
    const needed = ["ACTIVE", "PAUSED"] as const;
    const before = requireScheduleIn(world, scheduleId, { needed, action: "changed" });
    const { template } = members;
    if (template !== undefined) refuseImpossible(world, template, rails);
    const changed = {
      ...before,
      ...members,
      ...(template === undefined ? {} : { currency: currencyOf(world, template) }),
      asker: askerIn(world, before.asker?.people),
      updatedAt: world.at,
    };
    if (asked === undefined) return { before, after: world.put(paymentSchedules, changed) };
    const ruled = { ...changed, rule: firstRule(world, asked, before.lastDueAt), passed: 0 };
    if (before.jobId !== null) world.cancel(before.jobId);
    const after = before.status === "PAUSED" ? ruled : withNext(world, ruled, world.at);
    return { before, after: world.put(paymentSchedules, after) };
  },
};

/** Whether a change may pay more, another payee, or at other times. */
export function grows({ before, after }: ScheduleChange): boolean {
  const [was, is] = [before.template, after.template];
  const placeOf = ({ kind, sourceId, destinationId }: KeptPayment) =>
    canonicalJson({ kind, sourceId, destinationId });
  if (placeOf(was) !== placeOf(is) || BigInt(is.minor) > BigInt(was.minor)) return true;
  return canonicalJson(before.rule) !== canonicalJson(after.rule);
}

/** The template passed its refusals, so its account exists. */
function currencyOf(world: World, { sourceId }: KeptPayment): string {
  return world.get(internalAccounts.ref(sourceId)).currency;
}

const MOST_YEARS_AHEAD = 10;

/** The rule as it is stored, from now on. Due times up to `lastDueAt` have their rows. */
function firstRule(
  world: World,
  asked: OnceRule | AskedRule,
  lastDueAt: number | null = null,
): ScheduleRule {
  const field = "at" in asked ? "rule.at" : "rule.from";
  const begins = "at" in asked ? asked.at : asked.from;
  const last = new Date(world.at);
  last.setUTCFullYear(last.getUTCFullYear() + MOST_YEARS_AHEAD);
  if (begins !== undefined && Date.parse(begins) > last.getTime()) {
    throw invalidField(field, `must be within ${MOST_YEARS_AHEAD} years`);
  }
  const rule = "at" in asked ? asked : anchored(asked, world.at);
  if (dueAfter({ rule, passed: 0, lastDueAt }, world.at) !== undefined) return rule;
  const isPast = "at" in rule && Date.parse(rule.at) <= world.at;
  throw "at" in rule
    ? invalidField("rule.at", isPast ? "must be in the future" : "had its run, or was skipped")
    : invalidField("rule.until", `is before the first day that fits the rule, ${rule.from}`);
}
