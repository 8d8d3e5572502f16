import { expireQuote } from "../domain/quotes/expire-quote.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { JobRunner } from "./due-jobs.ts";

/** Jobs of quotes that ask nobody outside. */
export function quoteJobRunners(engine: Engine): Readonly<Record<string, JobRunner>> {
  return {
    async "expire-quote"(job) {
      const { quoteId } = job.payload as { readonly quoteId: string };
      const answered = await engine.submit({
        platformId: job.platformId,
        actor: { kind: "worker", id: job.kind },
        command: expireQuote,
        input: { quoteId, jobId: job.id },
        toAnswer: () => ({ status: 200, body: "" }),
      });
      assert(answered.status === 200, "the end of a quote is never refused");
      return { kind: "done" };
    },
  };
}
