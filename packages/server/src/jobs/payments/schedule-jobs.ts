/** Makes the runs of payment schedules. A run that is refused is recorded as such, and its job is done. */
import { retryRun, runSchedule } from "../../domain/payments/schedules/run-schedule.ts";
import type { RailRulesOf } from "../../domain/payments/transfers/payment-rail.port.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when the time has not come, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

interface ScheduleJobs {
  readonly engine: Pick<Engine, "submit">;
  readonly rails: RailRulesOf;
}

export function scheduleJobRunners({
  engine,
  rails,
}: ScheduleJobs): Pick<JobRunners, "run-payment-schedule" | "retry-schedule-run"> {
  return {
    async "run-payment-schedule"(job) {
      const input = { ...job.payload, jobId: job.id, rails };
      return resultOf(await submitForJob(engine, job, { command: runSchedule, input, tell }));
    },
    async "retry-schedule-run"(job) {
      const input = { ...job.payload, jobId: job.id, rails };
      return resultOf(await submitForJob(engine, job, { command: retryRun, input, tell }));
    },
  };
}

const tell = (isOver: boolean) => (isOver ? "over" : "too early");

function resultOf(outcome: string): JobResult {
  return outcome === "over" ? { kind: "done" } : { kind: "again", inMs: TOO_EARLY_MS };
}
