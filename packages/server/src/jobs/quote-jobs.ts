import { expireQuote } from "../domain/quotes/expire-quote.ts";
import type { Engine } from "../engine/engine.ts";
import type { JobRunners } from "./job-runners.ts";
import { submitForJob } from "./submit-for-job.ts";

/** How long until a quote is looked at again whose time was not over yet. */
const TOO_EARLY_MS = 100;

/** Jobs of quotes that ask nobody outside. */
export function quoteJobRunners(engine: Engine): Pick<JobRunners, "expire-quote"> {
  return {
    async "expire-quote"(job) {
      const { quoteId } = job.payload;
      const status = await submitForJob(engine, job, {
        command: expireQuote,
        input: { quoteId, jobId: job.id },
        tell: (quote) => quote.status,
      });
      return status === "PENDING" ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
  };
}
