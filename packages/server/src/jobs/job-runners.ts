/** Jobs and their runners as pairs: every kind of job has exactly one runner, typed by the kind's payload. */
import type { JobKind, JobPayloads } from "../domain/job-kinds.ts";
import type { ClaimedJob } from "../engine/command.ts";
import type { JobResult, JobRunner } from "./due-jobs.ts";

export type JobOf<Kind extends JobKind> = ClaimedJob<JobPayloads[Kind]>;

export type JobRunners = {
  readonly [Kind in JobKind]: (job: JobOf<Kind>) => Promise<JobResult>;
};

/** Kinds under which earlier versions scheduled the same jobs; some may still be due after an upgrade. */
const FORMER_KINDS: Readonly<Record<string, JobKind>> = {
  "fail-agent-action": "follow-agent-payment",
};

/** The runners by the kind in a job's row. Payloads are not checked again: the command that inserted the row was typed by its kind. */
export function runnersByKind(runners: Partial<JobRunners>): Readonly<Record<string, JobRunner>> {
  const byKind = runners as unknown as Readonly<Record<JobKind, JobRunner>>;
  const former = Object.entries(FORMER_KINDS).map(([kind, now]) => [kind, byKind[now]] as const);
  return { ...Object.fromEntries(former), ...byKind };
}
