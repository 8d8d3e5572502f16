import type { Command, Loaded } from "../../../engine/command.ts";
import {
  type PaymentSchedule,
  paymentSchedules,
  requireScheduleIn,
  stopped,
  withNext,
} from "./payment-schedule.ts";
import { newRun, recorded } from "./run-schedule.ts";

interface OfSchedule {
  readonly scheduleId: string;
}

const needs = (_world: Loaded, { scheduleId }: OfSchedule) => [paymentSchedules.ref(scheduleId)];

/** Due times pass without a run from now on. Refuses, in this order: an unknown schedule; one that is not ACTIVE. */
export const pauseSchedule: Command<OfSchedule, PaymentSchedule> = {
  name: "pause-payment-schedule",
  needs,
  decide(world, { scheduleId }) {
    const needed = ["ACTIVE"] as const;
    const schedule = requireScheduleIn(world, scheduleId, { needed, action: "paused" });
    const paused = stopped(world, schedule, "PAUSED");
    return world.put(paymentSchedules, { ...paused, updatedAt: world.at });
  },
};

/**
 * Due times from now on have runs; those of the pause, and one that was skipped before it, do not. A schedule whose due times are all over has ended. Refuses, in this order: an
 * unknown schedule; one that is not PAUSED.
 */
export const resumeSchedule: Command<OfSchedule, PaymentSchedule> = {
  name: "resume-payment-schedule",
  needs,
  decide(world, { scheduleId }) {
    const needed = ["PAUSED"] as const;
    const schedule = requireScheduleIn(world, scheduleId, { needed, action: "resumed" });
    const resumed = withNext(world, schedule, world.at);
    return world.put(paymentSchedules, { ...resumed, updatedAt: world.at });
  },
};

/** The next due time passes without a run. Refuses, in this order: an unknown schedule; one that is not ACTIVE. */
export const skipRun: Command<OfSchedule, PaymentSchedule> = {
  name: "skip-payment-schedule-run",
  needs,
  decide(world, { scheduleId }) {
    const needed = ["ACTIVE"] as const;
    const schedule = requireScheduleIn(world, scheduleId, { needed, action: "skipped" });
    const { nextAt, jobId } = schedule;
    const dueAt = nextAt ?? world.at;
    if (jobId !== null) world.cancel(jobId);
    const run = newRun(world, schedule, { dueAt, trigger: "RULE" });
    const counted = { passed: schedule.passed + 1, lastDueAt: dueAt, updatedAt: world.at };
    const passed = { ...schedule, ...counted };
    const skipped = recorded(world, passed, { ...run, status: "SKIPPED" });
    return world.put(paymentSchedules, withNext(world, skipped, dueAt));
  },
};

/** No further run, not even one that would be tried again. Refuses, in this order: an unknown schedule; one that has ended. */
export const endSchedule: Command<OfSchedule, PaymentSchedule> = {
  name: "end-payment-schedule",
  needs,
  decide(world, { scheduleId }) {
    const needed = ["ACTIVE", "PAUSED"] as const;
    const schedule = requireScheduleIn(world, scheduleId, { needed, action: "ended" });
    const ended = stopped(world, schedule, "ENDED");
    return world.put(paymentSchedules, { ...ended, isStopped: true, updatedAt: world.at });
  },
};
