/** Jobs on files: the chunks of a file that nothing refers to any more are taken away. Doing it twice does no harm. */
import { recordFileDropped } from "../domain/files/drop-file.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { SealedFiles } from "../storage/sealed-files.ts";
import type { JobRunner } from "./due-jobs.ts";

export function fileJobRunners({
  engine,
  files,
}: {
  readonly engine: Engine;
  readonly files: SealedFiles;
}): Readonly<Record<string, JobRunner>> {
  return {
    async "drop-file"({ platformId, id, payload }) {
      const { fileId } = payload as { readonly fileId: string };
      await files.remove(platformId, fileId);
      const answered = await engine.submit({
        platformId,
        actor: { kind: "worker", id: "files" },
        command: recordFileDropped,
        input: { jobId: id },
        toAnswer: () => ({ status: 200, body: "" }),
      });
      assert(answered.status === 200, "recording that a file is gone is never refused");
      return { kind: "done" };
    },
  };
}
