/**
 * Writes the file of an export, and deletes it when the export expires.
 *
 * A run writes one part: pages of rows into a sealed file, until the time of the slice or the rows end. The command that records the part
 * also stores where the next one starts. If the process dies before it, the sweep deletes the chunks and the next run writes the same
 * rows again. Of two servers that write the same part, the second one deletes its file.
 *
 * Bounds: the runs of this server, one a platform; one page of rows and two chunks of the file in memory.
 */

import { findExport, partsOfFile, seenNow } from "../../domain/reading/exports/export.sql.ts";
import type { Export, SeenState } from "../../domain/reading/exports/export.ts";
import type { ExportRows } from "../../domain/reading/exports/export-rows.port.ts";
import {
  recordExportDropped,
  recordExportPart,
  type WrittenPart,
} from "../../domain/reading/exports/record-export-part.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { SealedFiles } from "../../secrets/sealed-files.ts";
import { present } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { CONTINUE, createSlicedRuns, LATER } from "../sliced-runs.ts";
import { submitForJob } from "../submit-for-job.ts";

interface ExportJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly files: SealedFiles;
  readonly clock: Clock;
  readonly rows: ExportRows;
}

const EXPORTS_AT_ONCE = 2;
/** A part is read back as one file; its length is an `int4`. */
const PART_BYTES = 128 * 1024 ** 2;

export function exportJobRunners(
  tools: ExportJobs,
): Pick<JobRunners, "make-export" | "drop-export"> {
  const run = createSlicedRuns(tools.clock, EXPORTS_AT_ONCE);
  return {
    "make-export": (job) => run(job, (endsAt) => writePart(job, tools, endsAt)),
    "drop-export": (job) => dropExport(job, tools),
  };
}

async function writePart(
  job: JobOf<"make-export">,
  tools: ExportJobs,
  endsAt: number,
): Promise<JobResult> {
  const { platformId, id: jobId } = job;
  const { exportId } = job.payload;
  const found = present(await findExport(tools.reads, platformId, exportId), "the export of a job");
  // Another server has ended the export.
  if (found.state !== "PENDING") return { kind: "done" };
  const seen = await seenBy(found, platformId, tools);
  const part = await writeRows({ ...tools, found, platformId, seen, endsAt });
  const input: WrittenPart = { exportId, jobId, number: found.parts, seen, ...part };
  const told = await submitForJob(tools.engine, job, {
    command: recordExportPart,
    input,
    tell: (recorded) => recorded?.state ?? "",
  });
  if (told === "" && part.fileId !== null) await tools.files.remove(platformId, part.fileId);
  if (told === "") return LATER;
  return told === "PENDING" ? CONTINUE : { kind: "done" };
}

/** The state that the export shows, fixed by its first recorded part. Logged calls carry the time of the server, not the platform's. */
async function seenBy(
  { kind, commandSeq, eventSeq, asOf }: Export,
  platformId: string,
  { reads, clock }: ExportJobs,
): Promise<SeenState> {
  if (commandSeq !== null && eventSeq !== null && asOf !== null) {
    return { commandSeq, eventSeq, asOf };
  }
  const seen = await seenNow(reads, platformId);
  return kind === "REQUESTS" ? { ...seen, asOf: clock.now() } : seen;
}

interface PartRun extends ExportJobs {
  readonly found: Export;
  readonly platformId: string;
  readonly seen: SeenState;
  readonly endsAt: number;
}

async function writeRows(run: PartRun) {
  const { found, platformId, seen, endsAt, files, rows, clock } = run;
  const { kind, format, audience, timeZone, filter } = found;
  const form = { kind, format, audience, timeZone };
  const file = files.create(platformId);
  let bytes = 0;
  let rowCount = 0;
  let changedRows = 0;
  let position = found.position;
  const write = (text: string) => {
    const encoded = Buffer.from(text);
    bytes += encoded.length;
    return file.write(encoded);
  };
  if (found.parts === 0) await write(rows.heading(form));
  for (;;) {
    const page = await rows.next({ platformId, ...form, filter, seen, position });
    await write(page.text);
    rowCount += page.count;
    changedRows += page.changed;
    position = page.next ?? position;
    const isLast = page.next === undefined;
    if (!isLast && clock.now() < endsAt && bytes < PART_BYTES) continue;
    await file.end();
    const fileId = bytes === 0 ? null : file.fileId;
    return { fileId, bytes, rowCount, changedRows, position, isLast };
  }
}

async function dropExport(
  job: JobOf<"drop-export">,
  { engine, reads, files }: ExportJobs,
): Promise<JobResult> {
  const { platformId, id: jobId } = job;
  const { exportId } = job.payload;
  for (const { id } of await partsOfFile(reads, platformId, exportId)) {
    await files.remove(platformId, id);
  }
  await submitForJob(engine, job, { command: recordExportDropped, input: { exportId, jobId } });
  return { kind: "done" };
}
