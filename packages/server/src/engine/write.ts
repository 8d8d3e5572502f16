/** The statements that write a decided batch: the head first, then at most two for each table. */
import { ledgerEntries } from "../ledger/postings.ts";
import { arrayParameter, parameter } from "../postgres/columns.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import type { Table, TableRow } from "../tables/tables.ts";
import { auditEntries } from "./audit-entries.ts";
import type { Batch, DirtyRow, ScheduledJob } from "./batch.ts";
import { commandLog, events, type LoggedCommand } from "./command-log.ts";
import { advanceHead, type Head } from "./head.ts";
import { metadataSteps } from "./index-rows/metadata-terms.ts";
import { totalsSteps } from "./list-totals.ts";
import {
  deleteJobs,
  directory,
  domainStep,
  jobs,
  type RowChange,
  rowChanges,
  type StoredJob,
  shiftJobs,
} from "./records.ts";

export interface WriteOptions {
  readonly platformId: string;
  /** The expected place of the head; at any other the write fails. */
  readonly expected: Head;
  readonly next: Head;
  readonly logged: readonly LoggedCommand[];
  /** The keys of metadata that the platform has declared. */
  readonly metadataKeys: readonly string[];
  /** Statements that shift the due times outside of `jobs` when the clock advances. */
  readonly clockShifts: readonly Statement[];
  /** Adds the number of attempts and the host time from which a worker may claim the job. */
  readonly toStored: (job: ScheduledJob) => StoredJob;
}

export function writeSteps(batch: Batch, options: WriteOptions): Step[] {
  const { platformId, logged } = options;
  const steps: Step[] = [headStep(options)];
  if (logged.length > 0) steps.push(commandLog.insertStep(platformId, logged));
  for (const [table, dirty] of batch.dirty) {
    steps.push(...tableSteps(table, { platformId, rows: [...dirty.values()] }));
  }
  steps.push(...totalsSteps(platformId, batch.dirty));
  steps.push(...metadataSteps(platformId, batch.dirty, options.metadataKeys));
  const changes = changesOf(batch, options.next.seq);
  if (changes.length > 0) steps.push(rowChanges.insertStep(platformId, changes));
  const { entries, events: emitted, handles } = batch;
  if (entries.length > 0) steps.push(ledgerEntries.insertStep(platformId, entries));
  if (emitted.length > 0) steps.push(events.insertStep(platformId, emitted));
  if (batch.auditEntries.length > 0)
    steps.push(auditEntries.insertStep(platformId, batch.auditEntries));
  steps.push(...jobSteps(batch, options));
  if (handles.length > 0) {
    const rows = handles.map((handle) => ({ handle }));
    steps.push(directory.insertStep(platformId, rows));
  }
  for (const change of batch.domainChanges) steps.push(domainStep(platformId, change));
  return steps;
}

function headStep({ platformId, expected, next }: WriteOptions): Step {
  return {
    statement: advanceHead,
    parameters: [
      parameter("uuid", platformId),
      parameter("int8", expected.seq),
      parameter("bytes", expected.chainHash),
      parameter("int8", next.seq),
      parameter("int8", next.eventSeq),
      parameter("int8", BigInt(next.clockOffsetMs)),
      parameter("time", next.lastAt),
      parameter("bytes", next.chainHash),
    ],
  };
}

function changesOf({ dirty }: Batch, seq: bigint): readonly RowChange[] {
  const changes: RowChange[] = [];
  for (const [{ name: list, isFollowed }, rows] of dirty) {
    if (isFollowed) for (const id of rows.keys()) changes.push({ seq, list, id });
  }
  return changes;
}

interface WrittenRows {
  readonly platformId: string;
  readonly rows: readonly DirtyRow[];
}

function tableSteps(table: Table<TableRow>, { platformId, rows }: WrittenRows): Step[] {
  const changed = rows.filter(({ before }) => before !== undefined).map(({ row }) => row);
  const added = rows.filter(({ before }) => before === undefined).map(({ row }) => row);
  changed.sort((left, right) => (left.id < right.id ? -1 : 1));
  const steps = [...table.rewriteSteps(platformId, changed)];
  if (added.length > 0) steps.push(table.insertStep(platformId, added));
  return steps;
}

function jobSteps(batch: Batch, { platformId, clockShifts, toStored }: WriteOptions): Step[] {
  const platform = parameter("uuid", platformId);
  const steps: Step[] = [];
  if (batch.clockAdvanceMs > 0) {
    const parameters = [platform, parameter("int8", BigInt(batch.clockAdvanceMs))];
    for (const statement of [shiftJobs, ...clockShifts]) steps.push({ statement, parameters });
  }
  const cancelled = new Set(batch.cancelledJobs);
  if (cancelled.size > 0) {
    steps.push({
      statement: deleteJobs,
      parameters: [platform, arrayParameter("uuid", [...cancelled])],
    });
  }
  const added = batch.pendingJobs().map(toStored);
  if (added.length > 0) steps.push(jobs.insertStep(platformId, added));
  return steps;
}
