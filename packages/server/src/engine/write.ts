/** From a decided batch to the statements that write it: one a table, the head first. */
import type { Statement, Step } from "../storage/pipeline.ts";
import type { Table, TableRow } from "../storage/tables.ts";
import type { Batch, ScheduledJob } from "./batch.ts";
import type { LoggedCommand } from "./command-log.ts";
import { advanceHead, type Head } from "./head.ts";
import {
  arrayParameter,
  commandLog,
  deleteJobs,
  directory,
  events,
  jobs,
  ledgerEntries,
  parameter,
  type StoredJob,
  shiftJobs,
} from "./records.ts";

export interface WriteOptions {
  readonly platformId: string;
  /** Where the head must be for the batch to count. */
  readonly expected: Head;
  readonly next: Head;
  readonly logged: readonly LoggedCommand[];
  /** What moves with the jobs when the clock is moved on. */
  readonly clockShifts: readonly Statement[];
  /** Adds the host time from which a worker may take the job. */
  readonly toStored: (job: ScheduledJob) => StoredJob;
}

export function writeSteps(batch: Batch, options: WriteOptions): Step[] {
  const platform = parameter("uuid", options.platformId);
  const steps: Step[] = [advanceStep(options)];
  if (options.logged.length > 0) {
    steps.push({
      statement: commandLog.insert,
      parameters: [platform, ...commandLog.insertArrays(options.logged)],
    });
  }
  for (const [table, dirty] of batch.dirty) {
    const rows = [...dirty.values()];
    steps.push(...tableSteps(table, { platform, rows }));
  }
  if (batch.entries.length > 0) {
    steps.push({
      statement: ledgerEntries.insert,
      parameters: [platform, ...ledgerEntries.insertArrays(batch.entries)],
    });
  }
  if (batch.events.length > 0) {
    steps.push({
      statement: events.insert,
      parameters: [platform, ...events.insertArrays(batch.events)],
    });
  }
  steps.push(...jobSteps(batch, { ...options, platform }));
  if (batch.handles.length > 0) {
    const handles = batch.handles.map((handle) => ({ handle }));
    steps.push({
      statement: directory.insert,
      parameters: [platform, ...directory.insertArrays(handles)],
    });
  }
  return steps;
}

type Parameter = Step["parameters"][number];

function advanceStep({ platformId, expected, next }: WriteOptions): Step {
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

function tableSteps(
  table: Table<TableRow>,
  {
    platform,
    rows,
  }: { readonly platform: Parameter; readonly rows: readonly { row: TableRow; isNew: boolean }[] },
): Step[] {
  const steps: Step[] = [];
  const changed = rows.filter((row) => !row.isNew).map(({ row }) => row);
  const added = rows.filter((row) => row.isNew).map(({ row }) => row);
  if (changed.length > 0 && table.rewrite !== undefined) {
    changed.sort((left, right) => (left.id < right.id ? -1 : 1));
    steps.push({
      statement: table.rewrite,
      parameters: [platform, ...table.insertArrays(changed)],
    });
  }
  if (added.length > 0) {
    steps.push({ statement: table.insert, parameters: [platform, ...table.insertArrays(added)] });
  }
  return steps;
}

function jobSteps(batch: Batch, options: WriteOptions & { readonly platform: Parameter }): Step[] {
  const { platform } = options;
  const steps: Step[] = [];
  if (batch.clockAdvanceMs > 0) {
    const parameters = [platform, parameter("int8", BigInt(batch.clockAdvanceMs))];
    for (const statement of [shiftJobs, ...options.clockShifts]) {
      steps.push({ statement, parameters });
    }
  }
  const cancelled = new Set(batch.cancelledJobs);
  if (cancelled.size > 0) {
    steps.push({
      statement: deleteJobs,
      parameters: [platform, arrayParameter("uuid", [...cancelled])],
    });
  }
  const added = batch.pendingJobs().map(options.toStored);
  if (added.length > 0) {
    steps.push({ statement: jobs.insert, parameters: [platform, ...jobs.insertArrays(added)] });
  }
  return steps;
}
