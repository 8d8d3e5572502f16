/**
 * Deletes the chunks of orphaned files: their upload was aborted, or the process died before its command was committed. Files
 * that a document, an import or an export no longer needs are deleted by their own job.
 *
 * Each file is checked once, in the order of their first chunks, when it is old enough for its command to have been committed
 * or abandoned. A process starts with all files, a few at a time; if it dies, the next one starts again.
 */

import { parameter } from "../../postgres/columns.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Statement } from "../../postgres/pipeline.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";

/** Longer than the upload of any form may take. */
const SETTLED_MS = 60 * 60 * 1000;
const FILES_AT_ONCE = 500n;

/** The files after the last one that was checked, by their first chunk. */
const NEXT =
  "select c.platform_id, c.file_id, c.written_at from file_chunks c where c.number = 0 " +
  "and (c.written_at, c.file_id) > ($1::timestamptz, $2::uuid) and c.written_at < $3::timestamptz " +
  "order by c.written_at, c.file_id limit $4::int8";

const sweepFiles: Statement = {
  name: "file_chunks/sweep",
  text:
    `with looked as materialized (${NEXT}), unknown as (select k.* from looked k where not exists (` +
    "select 1 from documents d where d.platform_id = k.platform_id and d.file_id = k.file_id " +
    "and (d.deleted_at is null or d.superseded_by is not null)" +
    ") and not exists (" +
    "select 1 from bulk_jobs b where b.platform_id = k.platform_id and b.file_id = k.file_id" +
    ") and not exists (" +
    "select 1 from export_parts x where x.platform_id = k.platform_id and x.id = k.file_id)), " +
    "gone as (delete from file_chunks c using unknown u " +
    "where c.platform_id = u.platform_id and c.file_id = u.file_id returning c.number) " +
    "select floor(extract(epoch from written_at) * 1000)::int8, file_id, " +
    "(select count(*) from looked), (select count(*) from gone where number = 0) " +
    "from looked order by written_at desc, file_id desc limit 1",
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
            statement: sweepFiles,
            parameters: [
              parameter("time", after.writtenAt),
              parameter("uuid", after.fileId),
              parameter("time", now - SETTLED_MS),
              parameter("int8", FILES_AT_ONCE),
            ],
          },
        ]);
        const [last] = result?.rows ?? [];
        if (last === undefined) break;
        const [writtenAt, fileId, looked, gone] = last;
        after = { writtenAt: Number(writtenAt), fileId: fileId ?? "" };
        swept += Number(gone);
        if (Number(looked) < Number(FILES_AT_ONCE)) break;
      }
      return swept;
    },
  };
}
