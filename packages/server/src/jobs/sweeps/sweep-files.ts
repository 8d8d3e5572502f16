/**
 * Deletes the chunks of orphaned files: their upload was aborted, or the process died before its command was committed. Files
 * that a document, an import or an export no longer needs are deleted by their own job.
 *
 * Each file is checked once, in the order of their first chunks, when it is old enough for its command to have been committed
 * or abandoned. A process starts with all files, a few at a time; if it dies, the next one starts again.
 */

import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Statement } from "../../postgres/pipeline.ts";
import { groupBy } from "../../std/group.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";

/** Longer than the upload of any form may take. */
const SETTLED_MS = 60 * 60 * 1000;
const FILES_AT_ONCE = 500n;

/** The files after the last one that was checked, by their first chunk, and whether a command refers to each. */
const nextFiles: Statement = {
  name: "file_chunks/next",
  text:
    "select k.platform_id, k.file_id, floor(extract(epoch from k.written_at) * 1000)::int8, exists (" +
    "select 1 from documents d where d.platform_id = k.platform_id and d.file_id = k.file_id " +
    "and (d.deleted_at is null or d.superseded_by is not null)" +
    ") or exists (" +
    "select 1 from bulk_jobs b where b.platform_id = k.platform_id and b.file_id = k.file_id" +
    ") or exists (" +
    "select 1 from export_parts x where x.platform_id = k.platform_id and x.id = k.file_id) " +
    "from file_chunks k where k.number = 0 and (k.written_at, k.file_id) > ($1::timestamptz, $2::uuid) " +
    "and k.written_at < $3::timestamptz order by k.written_at, k.file_id limit $4::int8",
};

const dropFiles: Statement = {
  name: "file_chunks/drop",
  text: "delete from file_chunks where platform_id = $1::uuid and file_id = any ($2::uuid[])",
};

export interface FileSweep {
  /** Checks every file that is old enough; answers how many were deleted. */
  run(lane: Lane, now: number, isStopped: () => boolean): Promise<number>;
}

export function createFileSweep(): FileSweep {
  let after = { writtenAt: 0, fileId: BEFORE_ALL_IDS };
  return {
    async run(lane, now, isStopped) {
      let swept = 0;
      while (!isStopped()) {
        const [result] = await lane.run([
          {
            statement: nextFiles,
            parameters: [
              parameter("time", after.writtenAt),
              parameter("uuid", after.fileId),
              parameter("time", now - SETTLED_MS),
              parameter("int8", FILES_AT_ONCE),
            ],
          },
        ]);
        const looked = result?.rows ?? [];
        const orphans = looked.filter(([, , , isKnown]) => isKnown !== "t");
        await lane.run(
          [...groupBy(orphans, ([platformId]) => platformId ?? "")].map(([platformId, own]) => ({
            statement: dropFiles,
            parameters: [
              parameter("uuid", platformId),
              arrayParameter(
                "uuid",
                own.map(([, fileId]) => fileId),
              ),
            ],
          })),
        );
        swept += orphans.length;
        const last = looked.at(-1);
        if (last === undefined) break;
        after = { writtenAt: Number(last[2]), fileId: last[1] ?? "" };
        if (looked.length < Number(FILES_AT_ONCE)) break;
      }
      return swept;
    },
  };
}
