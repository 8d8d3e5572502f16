/** Compares schedules, their runs, jobs and events with the model. */
import { expect } from "vitest";
import type { Model } from "./model.ts";
import type { Queue } from "./model-batches.ts";

const MS = (column: string) => `(extract(epoch from ${column}) * 1000)::int8`;

export const SCHEDULE_QUERIES = {
  schedules: `select id, status, runs, coalesce(${MS("next_at")}::text, '') from payment_schedules where platform_id = $1`,
  runs:
    `select r.schedule_id, r.trigger, ${MS("r.due_at")}, r.status, coalesce(r.transaction_id::text, ''), coalesce(r.error->>'code', ''), ` +
    "coalesce(replace(t.details->>'counterpartTransactionId', 'Transaction:', ''), '') from payment_schedule_runs r " +
    "left join transactions t on t.platform_id = r.platform_id and t.id = r.transaction_id where r.platform_id = $1 " +
    "order by r.schedule_id, r.due_at, r.id",
} as const;

type Rows = readonly (readonly string[])[];

export function newRuns({ schedules }: Model, rows: Rows, now: number): readonly Queue[] {
  const runs = rows.map(
    ([
      scheduleId = "",
      trigger = "",
      dueAt,
      status = "",
      transactionId = "",
      code = "",
      last = "",
    ]) => ({
      ...{ scheduleId, trigger, dueAt: Number(dueAt), status, transactionId, code },
      counterpartId: last,
    }),
  );
  return schedules.queues(runs, now);
}

export function checkSchedules({ schedules }: Model, rows: Rows): void {
  expect(rows).toHaveLength(schedules.all.size);
  for (const [id = "", ...shown] of rows)
    expect(shown, `schedule ${id}`).toEqual(schedules.shownOf(id));
}

export function checkScheduleJobs(
  { schedules }: Model,
  jobs: Map<string, readonly string[]>,
): void {
  for (const [id, { status }] of schedules.all) {
    const wanted = status === "ACTIVE" ? ["run-payment-schedule"] : undefined;
    expect(jobs.get(id), `the job of schedule ${id}`).toEqual(wanted);
    jobs.delete(id);
  }
}

/** Each refused run of a rule is told once. */
export function checkScheduleEvents(
  { schedules }: Model,
  emitted: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [id, { failed }] of schedules.all)
    expect(emitted.get(id) ?? [], `events of schedule ${id}`).toEqual(
      Array.from({ length: failed }, () => "RUN_FAILED"),
    );
}
