/** Orders about payment schedules, and the command of the product for each. */
import { createSchedule } from "../../src/domain/payments/schedules/create-schedule.ts";
import { runNow } from "../../src/domain/payments/schedules/run-schedule.ts";
import {
  endSchedule,
  pauseSchedule,
  resumeSchedule,
  skipRun,
} from "../../src/domain/payments/schedules/schedule-commands.ts";
import { sandboxRails } from "../kit/rails.ts";
import type { Payment } from "./bulk-orders.ts";

const ACTS = {
  "run-schedule": runNow,
  "pause-schedule": pauseSchedule,
  "resume-schedule": resumeSchedule,
  "skip-run": skipRun,
  "end-schedule": endSchedule,
} as const;

export type ScheduleOrder =
  | {
      readonly kind: "create-schedule";
      readonly payment: Payment;
      /** How many days have a run. */
      readonly days: number;
    }
  | { readonly kind: keyof typeof ACTS; readonly scheduleId: string };

/** The hour of the day at which schedules are due, in UTC. */
export const DUE_HOUR = 9;

export function scheduleCommandOf(order: ScheduleOrder): {
  readonly command: unknown;
  readonly input: unknown;
} {
  if (order.kind !== "create-schedule") {
    const { kind, scheduleId } = order;
    return { command: ACTS[kind], input: { scheduleId, rails: sandboxRails } };
  }
  const { kind, sourceId, destinationId, minor } = order.payment;
  const template = { kind, sourceId, destinationId, minor: minor.toString() };
  const each = { every: "DAY", interval: 1, time: `0${DUE_HOUR}:00`, timeZone: "UTC" };
  const rule = { ...each, holidays: "NONE", adjust: "NONE", count: order.days };
  const input = { name: "daily", template, rule, retry: null, rails: sandboxRails };
  return { command: createSchedule, input };
}

export function isScheduleOrder(order: { readonly kind: string }): order is ScheduleOrder {
  return order.kind === "create-schedule" || order.kind in ACTS;
}
