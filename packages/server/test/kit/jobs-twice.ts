/**
 * Runs each job a second time after it has run, as happens when a lease expires or a server was frozen. Jobs are idempotent, so
 * the result of a story must not change.
 */
import type { AroundJobs } from "../../src/app.ts";
import { Fault } from "../../src/std/errors.ts";

/** These send a mail, an approval request or an event at least once, so a second run sends it again. */
const LEFT_ALONE = new Set([
  "send-code",
  "mail-person",
  "mail-approver",
  "ask-approval",
  "resend-event",
]);

export interface JobsTwice {
  readonly aroundJobs: AroundJobs;
  /** Throws the first error of a second run, except faults. */
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
      const [first] = thrown.splice(0);
      if (first !== undefined) throw new Error("a job that ran again failed", { cause: first });
    },
  };
}
