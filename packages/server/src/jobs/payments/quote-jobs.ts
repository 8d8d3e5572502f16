import { expireQuote } from "../../domain/payments/quotes/expire-quote.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when a quote has not expired yet, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

/** Jobs of quotes that make no call to a rail. */
export function quoteJobRunners(engine: Engine): Pick<JobRunners, "expire-quote"> {
  return {
    async "expire-quote"(job) {
      const { quoteId, graceMs = 0 } = job.payload;
      const status = await submitForJob(engine, job, {
        command: expireQuote,
        input: { quoteId, jobId: job.id, graceMs },
        tell: (quote) => quote.status,
      });
      return status === "PENDING" ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
  };
}
