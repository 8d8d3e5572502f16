/**
 * A payment schedule: a payment that is made later, once or again and again, by a rule.
 *
 * ACTIVE   waits for `nextAt`, for which a job stands; leaves by a call, or to ENDED when the rule has no more due times
 * PAUSED   due times pass without a run; left by a call
 * ENDED    no further run
 *
 * Each due time has one row of `payment_schedule_runs`, written in the commit that moves `nextAt` on. So a job that runs twice, or on two
 * servers, finds that `nextAt` is another one and does nothing; an index of the table refuses a second row.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { countedBy, statusFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Asker, KeptPayment } from "../transfers/kept-payment.ts";
import { isOnce, nextDue, nextDues, type ScheduleRule } from "./schedule-rule.ts";

export const scheduleStatuses = ["ACTIVE", "PAUSED", "ENDED"] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** How a run that INSUFFICIENT_BALANCE refuses is tried again. */
export type ScheduleRetry = { readonly times: number; readonly everyMinutes: number };

export const runStatuses = ["CREATED", "REFUSED", "WAITING", "MISSED", "SKIPPED"] as const;
/** WAITING: refused for the balance, and tried again at `retryAt`. */
export type RunStatus = (typeof runStatuses)[number];

export const runTriggers = ["RULE", "CALL"] as const;
export type RunTrigger = (typeof runTriggers)[number];

/** Why a run was refused. */
export type RunError = {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
};

/** The last run, as it was when the schedule was last written. Times are platform times in milliseconds. */
export type LastRun = {
  readonly id: string;
  readonly dueAt: number;
  readonly status: RunStatus;
  readonly transactionId?: string;
  readonly error?: RunError;
  readonly retryAt?: number;
};

const columns = {
  id: fixed("uuid"),
  name: mutable("text"),
  template: mutable<KeptPayment>("json"),
  /** Of the template's source account. */
  currency: mutable("text"),
  /** Null on a schedule of an earlier version. */
  asker: mutable<Asker | null>("json"),
  rule: mutable<ScheduleRule>("json"),
  retry: mutable<ScheduleRetry | null>("json"),
  status: mutable<ScheduleStatus>("text"),
  /** ENDED by a call: a run that waits to be tried again is not. */
  isStopped: mutable("bool"),
  /** Null unless ACTIVE. */
  nextAt: mutable<number | null>("time"),
  jobId: mutable<string | null>("uuid"),
  /** Due times that the rule's `count` has lost: runs, missed and skipped ones. A new rule starts at 0. */
  passed: mutable("int4"),
  /** The latest due time that has a row: no earlier one is waited for again, even where it was skipped before its time. */
  lastDueAt: mutable<number | null>("time"),
  /** Runs that were made or refused. */
  runs: mutable("int4"),
  lastRun: mutable<LastRun | null>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface PaymentSchedule extends RowOf<typeof columns> {}

export const paymentSchedules = defineTable<PaymentSchedule>("payment_schedules", columns, {
  isFinal: ({ status }) => status === "ENDED",
  counted: countedBy<PaymentSchedule>(statusFacet),
});

const runColumns = {
  id: fixed("uuid"),
  scheduleId: fixed("uuid"),
  dueAt: fixed("time"),
  trigger: fixed<RunTrigger>("text"),
  status: mutable<RunStatus>("text"),
  transactionId: mutable<string | null>("uuid"),
  error: mutable<RunError | null>("json"),
  attempts: mutable("int4"),
  retryAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface ScheduleRun extends RowOf<typeof runColumns> {}

export const scheduleRuns = defineTable<ScheduleRun>("payment_schedule_runs", runColumns, {
  isFinal: ({ status }) => status !== "WAITING",
});

export const findSchedule = finderOf(paymentSchedules);
export const listSchedules = listerOf(paymentSchedules);
export const listRuns = listerOf(scheduleRuns);

export interface ScheduleSubject {
  readonly kind: "PaymentSchedule";
  readonly id: string;
  readonly schedule: PaymentSchedule;
}

export function toScheduleId(id: string): string {
  return `PaymentSchedule:${id}`;
}

export function scheduleSubject(schedule: PaymentSchedule): ScheduleSubject {
  return { kind: "PaymentSchedule", id: toScheduleId(schedule.id), schedule };
}

export function requireSchedule(world: Loaded, id: string): PaymentSchedule {
  const schedule = world.find(paymentSchedules.ref(id));
  if (schedule === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return schedule;
}

/** Refuses with REFERENCE_NOT_FOUND an unknown schedule, and with CONFLICT one in another state. */
export function requireScheduleIn(
  world: Loaded,
  id: string,
  { needed, action }: { readonly needed: readonly ScheduleStatus[]; readonly action: string },
): PaymentSchedule {
  const schedule = requireSchedule(world, id);
  const { status } = schedule;
  if (needed.includes(status)) return schedule;
  throw wrongState({ object: "schedule", status, needed: needed.join(" or "), action });
}

type Planned = Pick<PaymentSchedule, "rule" | "passed" | "lastDueAt">;

/** How many due times the rule has left; undefined when their number has no bound. */
function leftOf({ rule, passed }: Planned): number | undefined {
  if (isOnce(rule) || rule.count === undefined) return undefined;
  return Math.max(rule.count - passed, 0);
}

/** The first due time after this moment that has no row yet. */
export function dueAfter(schedule: Planned, after: number): number | undefined {
  return leftOf(schedule) === 0 ? undefined : nextDue(schedule.rule, openAfter(schedule, after));
}

function openAfter({ lastDueAt }: Planned, after: number): number {
  return Math.max(after, lastDueAt ?? after);
}

/** At most `most` due times from now on. Those of a paused schedule are the ones that it would have if it was resumed now. */
export function duesFrom(schedule: PaymentSchedule, now: number, most: number): readonly number[] {
  const { status, nextAt, rule } = schedule;
  const left = Math.min(most, leftOf(schedule) ?? most);
  if (status === "ENDED" || left === 0) return [];
  if (nextAt === null) return nextDues(rule, openAfter(schedule, now), left);
  return [nextAt, ...nextDues(rule, nextAt, left - 1)];
}

/** The schedule with its next due time after this moment, for which a job is made; ENDED when there is none. */
export function withNext(world: World, schedule: PaymentSchedule, after: number): PaymentSchedule {
  const dueAt = dueAfter(schedule, after);
  if (dueAt === undefined) return without(schedule, "ENDED");
  const payload = { scheduleId: schedule.id, dueAt };
  const jobId = scheduleJob(world, { kind: "run-payment-schedule", payload, dueAt });
  return { ...schedule, status: "ACTIVE", nextAt: dueAt, jobId };
}

/** The schedule in a state that waits for no due time; its job is cancelled. */
export function stopped(
  world: World,
  schedule: PaymentSchedule,
  status: "PAUSED" | "ENDED",
): PaymentSchedule {
  if (schedule.jobId !== null) world.cancel(schedule.jobId);
  return without(schedule, status);
}

function without(schedule: PaymentSchedule, status: "PAUSED" | "ENDED"): PaymentSchedule {
  return { ...schedule, status, nextAt: null, jobId: null };
}
