/** The daily check of a UMA domain. A run that dies is run again; one that runs twice records one check. */
import { isNext, recordDailyCheck } from "../../domain/uma/domains/record-routing-check.ts";
import type { RoutingChecks } from "../../domain/uma/domains/routing-check.port.ts";
import { findUmaDomain } from "../../domain/uma/domains/uma-domain-row.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

interface DomainJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly umaRouting: RoutingChecks;
}

const DONE: JobResult = { kind: "done" };

export function domainJobRunners({
  engine,
  reads,
  umaRouting,
}: DomainJobs): Pick<JobRunners, "check-uma-domain"> {
  return {
    async "check-uma-domain"(job) {
      const { domainId, dueAt } = job.payload;
      const found = await findUmaDomain(reads, job.platformId, domainId);
      const isDue = found !== undefined && isNext(found, dueAt);
      await submitForJob(engine, job, {
        command: recordDailyCheck,
        input: {
          domainId,
          dueAt,
          jobId: job.id,
          faults: isDue ? await umaRouting.check(found.domain) : undefined,
        },
      });
      return DONE;
    },
  };
}
