import { startSpan } from "../std/tracing/spans.ts";
import { runTraced } from "../std/tracing/trace.ts";
import type { JobRunner } from "./due-jobs.ts";

type RunnersByKind = Readonly<Record<string, JobRunner>>;

/** Runs each job as part of the trace of the call that caused it, or of none. */
export function traceRunners(
  runners: RunnersByKind,
  traceOf: (jobId: string) => string | undefined,
): RunnersByKind {
  const traced = Object.entries(runners).map(([kind, run]): [string, JobRunner] => [
    kind,
    (job) => {
      const parent = traceOf(job.id);
      const attributes = { "florin.job.id": job.id, "florin.platform.id": job.platformId };
      const span = startSpan({ name: `job ${kind}`, kind: "job", parent, attributes });
      const result = runTraced(span?.traceparent ?? parent, () => run(job));
      if (span === undefined) return result;
      return result.then(
        (ended) => {
          span.end({ "florin.job.result": ended.kind });
          return ended;
        },
        (error: unknown) => {
          span.end({}, "the job failed");
          throw error;
        },
      );
    },
  ]);
  return Object.fromEntries(traced);
}
