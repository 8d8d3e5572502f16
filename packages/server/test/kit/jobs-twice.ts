/**
 * Runs every job a second time when it has run: as after a lease that ran out, or by a server that was frozen. Whatever a
 * job does it must do once, so a story comes out the same.
 */
import type { AroundJobs } from "../../src/app.ts";
import { Fault } from "../../src/std/errors.ts";

/** What these send outside comes twice then, as promised: a mail, a question. */
const LEFT_ALONE = new Set(["send-code", "ask-approval"]);

export interface JobsTwice {
  readonly aroundJobs: AroundJobs;
  /** Throws the first bug that a second run met; a database out of order for a moment is none. */
  check(): void;
}

export function jobsTwice(): JobsTwice {
  const thrown: unknown[] = [];
  const note = (error: unknown) => {
    if (!(error instanceof Fault)) thrown.push(error);
  };
  return {
    aroundJobs: (runners) =>
      Object.fromEntries(
        Object.entries(runners).map(([kind, run]) => [
          kind,
          async (job) => {
            const result = await run(job);
            if (!LEFT_ALONE.has(kind)) await run(job).catch(note);
            return result;
          },
        ]),
      ),
    check() {
      if (thrown.length > 0) throw new Error("a job that ran again failed", { cause: thrown[0] });
    },
  };
}
