import { expireHold } from "../../domain/payments/holds/end-hold.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when a hold has not expired yet, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

export function holdJobRunners(engine: Engine): Pick<JobRunners, "expire-hold"> {
  return {
    async "expire-hold"(job) {
      const status = await submitForJob(engine, job, {
        command: expireHold,
        input: { holdId: job.payload.holdId, jobId: job.id },
        tell: (hold) => hold.status,
      });
      return status === "OPEN" ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
  };
}
