import { expireQuote } from "../domain/quotes/expire-quote.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { JobRunner } from "./due-jobs.ts";

/** How long until a quote is looked at again whose time was not over yet. */
const TOO_EARLY_MS = 100;

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
        toAnswer: ({ status }) => ({ status: 200, body: status }),
      });
      assert(answered.status === 200, "the end of a quote is never refused");
      return answered.body === "PENDING" ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
  };
}
