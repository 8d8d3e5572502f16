/** Ends approvals that were not decided in time, and carries out those that needed no agreement. */
import {
  carryOutInTime,
  expireApproval,
  type OpenedOrder,
} from "../../domain/people/approvals/decide-approval.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when the time has not come, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

interface ApprovalJobs {
  readonly engine: Engine;
  /** Opens the sealed order that an approval is about. */
  readonly open: (platformId: string, approvalId: string) => Promise<OpenedOrder>;
}

export function approvalJobRunners({
  engine,
  open,
}: ApprovalJobs): Pick<JobRunners, "expire-approval" | "carry-out-approval"> {
  return {
    async "expire-approval"(job) {
      const outcome = await submitForJob(engine, job, {
        command: expireApproval,
        input: { approvalId: job.payload.approvalId, jobId: job.id },
        tell: toOutcome,
      });
      return resultOf(outcome);
    },
    async "carry-out-approval"(job) {
      const { platformId, payload } = job;
      const outcome = await submitForJob(engine, job, {
        command: carryOutInTime,
        input: { ...payload, jobId: job.id, order: await open(platformId, payload.approvalId) },
        tell: toOutcome,
      });
      return resultOf(outcome);
    },
  };
}

const toOutcome = (isOver: boolean) => (isOver ? "over" : "too early");

function resultOf(outcome: string): JobResult {
  return outcome === "over" ? { kind: "done" } : { kind: "again", inMs: TOO_EARLY_MS };
}
