/**
 * Runs every job a second time when it has run: as after a lease that ran out, or by a server that was frozen. Whatever a
 * job does it must do once, so a story comes out the same.
 */
import type { AroundJobs } from "../../src/app.ts";

/** What these send outside comes twice then, as promised: a mail, a question. */
const LEFT_ALONE = new Set(["send-code", "ask-approval"]);

export interface JobsTwice {
  readonly aroundJobs: AroundJobs;
  /** Throws the first thing that a second run threw. */
  check(): void;
}

export function jobsTwice(): JobsTwice {
  const thrown: unknown[] = [];
  return {
    aroundJobs: (runners) =>
      Object.fromEntries(
        Object.entries(runners).map(([kind, run]) => [
          kind,
          async (job) => {
            const result = await run(job);
            if (!LEFT_ALONE.has(kind)) await run(job).catch((error) => thrown.push(error));
            return result;
          },
        ]),
      ),
    check() {
      if (thrown.length > 0) throw new Error("a job that ran again failed", { cause: thrown[0] });
    },
  };
}
