/** Jobs of rate sources: read the document, and notice that the rates are too old. A run that dies is run again and does no harm. */
import { noteStaleRates } from "../../domain/prices/rate-sources/note-stale-rates.ts";
import type { RateDocuments } from "../../domain/prices/rate-sources/rate-documents.port.ts";
import { findSource } from "../../domain/prices/rate-sources/rate-source.sql.ts";
import { recordRateDocument } from "../../domain/prices/rate-sources/record-rate-document.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

export interface RateJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly rateDocuments: RateDocuments;
}

const DONE: JobResult = { kind: "done" };

export function rateJobRunners({
  engine,
  reads,
  rateDocuments,
}: RateJobs): Pick<JobRunners, "refresh-rate-source" | "note-stale-rates"> {
  return {
    async "refresh-rate-source"(job) {
      const { platformId, payload, id: jobId } = job;
      const { sourceId } = payload;
      const source = await findSource(reads, platformId, sourceId);
      if (source?.refreshJobId !== jobId) return DONE;
      const read = await rateDocuments.fetch(platformId, source);
      const inMs = await submitForJob(engine, job, {
        command: recordRateDocument,
        input: { sourceId, jobId, origin: "FETCH", read },
        tell: ({ againInMs }) => againIn(againInMs),
      });
      return toResult(inMs);
    },
    async "note-stale-rates"(job) {
      const { sourceId } = job.payload;
      const inMs = await submitForJob(engine, job, {
        command: noteStaleRates,
        input: { sourceId, jobId: job.id },
        tell: againIn,
      });
      return toResult(inMs);
    },
  };
}

function againIn(inMs: number | undefined): string {
  return inMs === undefined ? "" : String(inMs);
}

function toResult(inMs: string): JobResult {
  return inMs === "" ? DONE : { kind: "again", inMs: Number(inMs) };
}
