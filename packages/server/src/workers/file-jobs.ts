/** Jobs on files: the chunks of a file that nothing refers to any more are taken away. Doing it twice does no harm. */
import { recordFileDropped } from "../domain/files/drop-file.ts";
import type { Engine } from "../engine/engine.ts";
import type { SealedFiles } from "../storage/sealed-files.ts";
import type { JobRunner } from "./due-jobs.ts";
import { submitForJob } from "./submit-for-job.ts";

export function fileJobRunners({
  engine,
  files,
}: {
  readonly engine: Engine;
  readonly files: SealedFiles;
}): Readonly<Record<string, JobRunner>> {
  return {
    async "drop-file"(job) {
      const { fileId } = job.payload as { readonly fileId: string };
      await files.remove(job.platformId, fileId);
      await submitForJob(engine, job, { command: recordFileDropped, input: { jobId: job.id } });
      return { kind: "done" };
    },
  };
}
