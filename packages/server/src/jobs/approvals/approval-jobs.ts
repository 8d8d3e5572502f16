/** Ends approvals that were not decided in time. */
import { expireApproval } from "../../domain/approvals/decide-approval.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when the time has not come, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

export function approvalJobRunners({
  engine,
}: {
  readonly engine: Engine;
}): Pick<JobRunners, "expire-approval"> {
  return {
    "expire-approval": async (job) => {
      const isOver = await submitForJob(engine, job, {
        command: expireApproval,
        input: { approvalId: job.payload.approvalId, jobId: job.id },
        tell: (over) => (over ? "over" : ""),
      });
      return isOver === "over" ? { kind: "done" } : { kind: "again", inMs: TOO_EARLY_MS };
    },
  };
}
