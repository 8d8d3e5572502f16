/** Adds up the figures of a statement and the digest of its file. Running it twice changes nothing: the entries are final. */
import { createHash } from "node:crypto";
import { recordStatement } from "../../domain/accounts/statements/create-statement.ts";
import {
  entriesBetween,
  findStatement,
  statementFigures,
} from "../../domain/accounts/statements/statement.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { assert, present } from "../../std/assert.ts";
import { statementFile } from "../../wire/accounts/statement.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

interface StatementJobs {
  readonly engine: Engine;
  readonly reads: Reads;
}

export function statementJobRunners(options: StatementJobs): Pick<JobRunners, "make-statement"> {
  const underway = new Map<string, Promise<JobResult>>();
  return {
    /** Adding up a long history outlasts a lease: the runs that start meanwhile in this process wait for the first. */
    "make-statement"(job) {
      const first = underway.get(job.id);
      if (first !== undefined) return first;
      const run = makeStatement(options, job).finally(() => underway.delete(job.id));
      underway.set(job.id, run);
      return run;
    },
  };
}

async function makeStatement(
  { engine, reads }: StatementJobs,
  job: JobOf<"make-statement">,
): Promise<JobResult> {
  const { platformId, id: jobId } = job;
  const { statementId } = job.payload;
  const found = await findStatement(reads, platformId, statementId);
  const statement = present(found, "the statement of a job");
  const figures = await statementFigures(reads, platformId, statement);
  const { openingMinor, inMinor, outMinor, closingMinor } = figures;
  assert(openingMinor + inMinor - outMinor === closingMinor, "a statement adds up");
  const range = { first: figures.firstVersion, last: figures.lastVersion };
  const entries = entriesBetween(reads, platformId, { accountId: statement.accountId, ...range });
  const digest = createHash("sha256");
  for await (const piece of statementFile({ ...statement, ...figures }, entries)) {
    digest.update(piece);
  }
  await submitForJob(engine, job, {
    command: recordStatement,
    input: { ...figures, statementId, jobId, sha256: digest.digest("hex") },
  });
  return { kind: "done" };
}
