/** Deletes the chunks of files that nothing refers to any more. Running it twice changes nothing. */
import { recordFileDropped } from "../../domain/customers/documents/document.ts";
import type { Engine } from "../../engine/engine.ts";
import type { SealedFiles } from "../../secrets/sealed-files.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

export function fileJobRunners({
  engine,
  files,
}: {
  readonly engine: Engine;
  readonly files: SealedFiles;
}): Pick<JobRunners, "drop-file"> {
  return {
    async "drop-file"(job) {
      const { fileId } = job.payload;
      await files.remove(job.platformId, fileId);
      await submitForJob(engine, job, { command: recordFileDropped, input: { jobId: job.id } });
      return { kind: "done" };
    },
  };
}
