/**
 * The runs of a schedule. A run is one command: the payment, the row of the run, the next due time and its job are one commit. The job of a
 * due time that another command has passed ends without effect, so a run happens once over crashes and servers.
 */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { keptPaymentNeeds, makePayment } from "../transfers/kept-payment.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import {
  type LastRun,
  type PaymentSchedule,
  paymentSchedules,
  type RunTrigger,
  requireScheduleIn,
  type ScheduleRun,
  scheduleRuns,
  scheduleSubject,
  withNext,
} from "./payment-schedule.ts";

/** A run that is later than this is missed. */
const MOST_LATE_MS = 24 * 60 * 60_000;

const MINUTE_MS = 60_000;

export interface RunScheduleInput {
  readonly scheduleId: string;
  /** Platform time. */
  readonly dueAt: number;
  readonly jobId: string;
  readonly rails: RailRulesOf;
}

/**
 * Makes the run that is due, and plans the next one. A run that is refused is recorded with its refusal; one that is more than a day late is
 * recorded as missed, except in a sandbox, whose clock is moved past due times. Returns false and keeps the job if it is not due yet: the
 * host's clock was set back.
 */
export const runSchedule: Command<RunScheduleInput, boolean> = {
  name: "run-payment-schedule",
  needs: (world, { scheduleId }) => runNeeds(world, scheduleId),
  decide(world, { scheduleId, dueAt, jobId, rails }) {
    const schedule = world.get(paymentSchedules.ref(scheduleId));
    if (schedule.nextAt !== dueAt) {
      world.cancel(jobId);
      return true;
    }
    if (world.at < dueAt) return false;
    world.cancel(jobId);
    // An earlier version waited again for a due time that was skipped.
    if (schedule.lastDueAt !== null && dueAt <= schedule.lastDueAt) {
      put(world, withNext(world, schedule, dueAt));
      return true;
    }
    const passed = { ...schedule, passed: schedule.passed + 1, lastDueAt: dueAt };
    const run = newRun(world, schedule, { dueAt, trigger: "RULE" });
    if (isMissed(world, dueAt)) {
      const missed = recorded(world, passed, { ...run, status: "MISSED" });
      const after = put(world, withNext(world, missed, dueAt));
      world.emit("PAYMENT_SCHEDULE.RUN_MISSED", scheduleSubject(after));
      return true;
    }
    const tried = tryRun(world, { ...passed, runs: passed.runs + 1 }, { run, rails });
    tell(world, put(world, withNext(world, tried, dueAt)));
    return true;
  },
};

function isMissed(world: World, dueAt: number): boolean {
  const { environment } = world.get(platforms.ref(world.platformId));
  return environment === "PRODUCTION" && world.at - dueAt > MOST_LATE_MS;
}

export interface RetryRunInput {
  readonly scheduleId: string;
  readonly runId: string;
  readonly jobId: string;
  readonly rails: RailRulesOf;
}

/**
 * Tries a run again that the balance has refused. A run stays refused when its schedule was paused or ended by a call, and when the
 * attempt is more than a day late. Returns false and keeps the job if it is not due yet: the host's clock was set back.
 */
export const retryRun: Command<RetryRunInput, boolean> = {
  name: "retry-payment-schedule-run",
  needs: (world, { scheduleId, runId }) => [
    scheduleRuns.ref(runId),
    ...runNeeds(world, scheduleId),
  ],
  decide(world, { scheduleId, runId, jobId, rails }) {
    const run = world.get(scheduleRuns.ref(runId));
    if (run.status === "WAITING" && world.at < (run.retryAt ?? 0)) return false;
    world.cancel(jobId);
    if (run.status !== "WAITING") return true;
    const schedule = world.get(paymentSchedules.ref(scheduleId));
    const isOver = schedule.status === "PAUSED" || schedule.isStopped;
    if (isOver || isMissed(world, run.retryAt ?? 0)) {
      put(world, recorded(world, schedule, { ...run, status: "REFUSED", retryAt: null }));
      return true;
    }
    tell(world, put(world, tryRun(world, schedule, { run, rails })));
    return true;
  },
};

export interface RunNowInput {
  readonly scheduleId: string;
  readonly rails: RailRulesOf;
}

export interface RunMade {
  readonly schedule: PaymentSchedule;
  readonly run: ScheduleRun;
  readonly transaction: Transaction;
}

/**
 * Makes one more run at once; the due times stay. Refuses, in this order: an unknown schedule; one that has ended; whatever the single call
 * of the template refuses.
 */
export const runNow: Command<RunNowInput, RunMade> = {
  name: "run-payment-schedule-now",
  needs: (world, { scheduleId }) => runNeeds(world, scheduleId),
  decide(world, { scheduleId, rails }) {
    const needed = ["ACTIVE", "PAUSED"] as const;
    const schedule = requireScheduleIn(world, scheduleId, { needed, action: "run" });
    const transaction = makePayment(world, { ...schedule.template, rails });
    const run: ScheduleRun = {
      ...newRun(world, schedule, { dueAt: world.at, trigger: "CALL" }),
      status: "CREATED",
      transactionId: transaction.id,
      attempts: 1,
    };
    const counted = { ...schedule, runs: schedule.runs + 1 };
    return { schedule: put(world, recorded(world, counted, run)), run, transaction };
  },
};

export function runNeeds(world: Loaded, scheduleId: string): readonly AnyRef[] {
  const ref = paymentSchedules.ref(scheduleId);
  const schedule = world.find(ref);
  const own = [ref, platforms.ref(world.platformId)];
  return schedule === undefined ? own : [...own, ...keptPaymentNeeds(world, schedule.template)];
}

export function newRun(
  world: World,
  { id: scheduleId }: PaymentSchedule,
  due: { readonly dueAt: number; readonly trigger: RunTrigger },
): ScheduleRun {
  return {
    id: world.newId(),
    scheduleId,
    ...due,
    status: "REFUSED",
    transactionId: null,
    error: null,
    attempts: 0,
    retryAt: null,
    createdAt: world.at,
    updatedAt: world.at,
  };
}

interface Try {
  readonly run: ScheduleRun;
  readonly rails: RailRulesOf;
}

/** Makes the payment, or records why it was refused and plans another attempt. Answers the schedule with its last run. */
function tryRun(world: World, schedule: PaymentSchedule, { run, rails }: Try): PaymentSchedule {
  const attempt = { ...run, attempts: run.attempts + 1, updatedAt: world.at, retryAt: null };
  const make = () => makePayment(world, { ...schedule.template, rails });
  const { asker } = schedule;
  const outcome = world.attempt(() => (asker === null ? make() : world.onBehalfOf(asker, make)));
  if (!(outcome instanceof Refusal)) {
    const made = { status: "CREATED", transactionId: outcome.id, error: null } as const;
    return recorded(world, schedule, { ...attempt, ...made });
  }
  const { code, message, details } = outcome;
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  const retryAt = retryTime(world, schedule, { code, attempts: attempt.attempts });
  const status = retryAt === null ? "REFUSED" : "WAITING";
  if (retryAt !== null) {
    const payload = { scheduleId: schedule.id, runId: run.id };
    scheduleJob(world, { kind: "retry-schedule-run", payload, dueAt: retryAt });
  }
  return recorded(world, schedule, { ...attempt, status, error, retryAt });
}

/** Tells that the last run was refused. */
function tell(world: World, schedule: PaymentSchedule): void {
  if (schedule.lastRun?.error === undefined) return;
  world.emit("PAYMENT_SCHEDULE.RUN_FAILED", scheduleSubject(schedule));
}

function retryTime(
  world: World,
  { retry }: PaymentSchedule,
  { code, attempts }: { readonly code: string; readonly attempts: number },
): number | null {
  if (code !== "INSUFFICIENT_BALANCE" || retry === null || attempts > retry.times) return null;
  return world.at + retry.everyMinutes * MINUTE_MS;
}

/** Writes the run. Answers the schedule, which shows it as the last one. */
export function recorded(
  world: World,
  schedule: PaymentSchedule,
  run: ScheduleRun,
): PaymentSchedule {
  const { id, dueAt, status, transactionId, error, retryAt } = world.put(scheduleRuns, run);
  const lastRun: LastRun = {
    id,
    dueAt,
    status,
    ...(transactionId === null ? {} : { transactionId }),
    ...(error === null ? {} : { error }),
    ...(retryAt === null ? {} : { retryAt }),
  };
  return { ...schedule, lastRun };
}

function put(world: World, schedule: PaymentSchedule): PaymentSchedule {
  return world.put(paymentSchedules, { ...schedule, updatedAt: world.at });
}
