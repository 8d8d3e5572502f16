/**
 * Imports a file of customers: validate the whole file → record its number of rows → for each group of rows, submit the
 * command that creates a customer for each row → record the progress → end.
 *
 * A row is submitted under an idempotency key made of the import's id and the row's number, so every retry has the same
 * outcome. If the process dies between any two lines, another run resumes at the recorded progress; the rows after it are
 * submitted again and their answers are replayed.
 *
 * Bounds: the number of concurrent imports, one a platform; two groups of rows under way; one slice of the file in memory. A
 * run ends before the lease of its job expires, and the job is claimed again.
 */

import type { NewWallet } from "../domain/accounts/internal/open-account.ts";
import { findBulkJob } from "../domain/customers/bulk-jobs/bulk-job.sql.ts";
import type { BulkJob, RowError } from "../domain/customers/bulk-jobs/bulk-job.ts";
import { type EndBulkJobInput, endBulkJob } from "../domain/customers/bulk-jobs/end-bulk-job.ts";
import {
  recordBulkProgress,
  recordBulkSurvey,
} from "../domain/customers/bulk-jobs/record-bulk-progress.ts";
import {
  createCustomer,
  mayHaveWallet,
  WALLET_NEEDED,
} from "../domain/customers/create-customer.ts";
import { findPlatform } from "../domain/platform.sql.ts";
import { type Command, SAME_BODY } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { messageOfCode } from "../engine/refusal.ts";
import type { JobResult } from "../jobs/due-jobs.ts";
import type { JobOf, JobRunners } from "../jobs/job-runners.ts";
import { CONTINUE, createSlicedRuns, LATER } from "../jobs/sliced-runs.ts";
import type { Reads } from "../postgres/database.ts";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import { assert, present } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { Fault, messageOf } from "../std/errors.ts";
import type { JsonObject } from "../std/json.ts";
import type { Log } from "../std/log.ts";
import {
  type CustomerFile,
  type Header,
  type Row,
  readHeader,
  rowsLeft,
  validateFile,
} from "./customer-file.ts";
import type { CheckedRow, CheckRow, RowCustomer } from "./customer-rows.ts";

export interface ImportTools {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly files: SealedFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly checkRow: CheckRow;
  newWallet(platformId: string): Promise<NewWallet>;
}

const IMPORTS_AT_ONCE = 2;
/** Limits of a group: its rows, and the length of their text. */
const GROUP_ROWS = 256;
const GROUP_BYTES = 512 * 1024;

export function importJobRunners(tools: ImportTools): Pick<JobRunners, "import-customers"> {
  const run = createSlicedRuns(tools.clock, IMPORTS_AT_ONCE);
  return {
    "import-customers": (job) => run(job, (endsAt) => runImport(job, tools, endsAt)),
  };
}

async function runImport(
  job: JobOf<"import-customers">,
  tools: ImportTools,
  endsAt: number,
): Promise<JobResult> {
  const { bulkJobId } = job.payload;
  const found = await findBulkJob(tools.reads, job.platformId, bulkJobId);
  const bulkJob = present(found, "a bulk job whose work is due");
  // Another server has ended the import.
  if (bulkJob.fileId === null) return { kind: "done" };
  const run: ImportRun = {
    ...tools,
    job,
    endsAt,
    bulkJob,
    file: { files: tools.files, platformId: job.platformId, fileId: bulkJob.fileId },
  };
  return bulkJob.status === "PENDING" ? validate(run) : importRows(run);
}

interface ImportRun extends ImportTools {
  readonly job: JobOf<"import-customers">;
  readonly endsAt: number;
  readonly bulkJob: BulkJob;
  readonly file: CustomerFile;
}

async function validate(run: ImportRun): Promise<JobResult> {
  const bulkJobId = run.bulkJob.id;
  const found = await validateFile(run.file);
  if (found.kind === "no-table") return end(run, { status: "FAILED", errors: found.errors });
  const { total, position } = found;
  const isRecorded = await record(run, recordBulkSurvey, { bulkJobId, total, position });
  return isRecorded ? CONTINUE : LATER;
}

type Ending<Input> = Input extends unknown ? Omit<Input, "bulkJobId" | "jobId"> : never;

async function end(run: ImportRun, ending: Ending<EndBulkJobInput>): Promise<JobResult> {
  const { bulkJob, job } = run;
  const input = { bulkJobId: bulkJob.id, jobId: job.id, ...ending };
  const isRecorded = await record(run, endBulkJob, input);
  return isRecorded ? { kind: "done" } : LATER;
}

/** Submits the transition; false when another server was first. */
async function record<Input>(
  { engine, job }: ImportRun,
  command: Command<Input, BulkJob>,
  input: Input,
): Promise<boolean> {
  const { status } = await engine.submit({
    platformId: job.platformId,
    actor: { kind: "worker", id: "imports" },
    command,
    input,
    toAnswer: () => ({ status: 200, body: "" }),
  });
  assert(status === 200 || status === 409, "what a worker records of an import is never refused");
  return status === 200;
}

async function importRows(run: ImportRun): Promise<JobResult> {
  const { bulkJob, file, clock, endsAt } = run;
  const progress = createProgress(run);
  const submitGroup = createGroups(run, {
    header: await readHeader(file),
    wallets: await hasWallets(run),
  });
  let group: Row[] = [];
  let groupFrom = bulkJob.position;
  for await (const row of rowsLeft(file, bulkJob)) {
    group.push(row);
    if (group.length < GROUP_ROWS && row.end - groupFrom < GROUP_BYTES) continue;
    await progress.after(await submitGroup(group), row.end);
    group = [];
    groupFrom = row.end;
    if (clock.now() >= endsAt || progress.isLost()) break;
  }
  const last = group.at(-1);
  if (last !== undefined) await progress.after(await submitGroup(group), last.end);
  const processed = await progress.settled();
  if (processed === undefined) return LATER;
  if (processed < bulkJob.total) {
    assert(processed > bulkJob.processed, "a file has as many rows as were counted");
    return CONTINUE;
  }
  return end(run, { status: "COMPLETED", total: bulkJob.total });
}

/** Wallet keys are generated only for platforms with USDB, because other customers get no wallet. */
async function hasWallets({ reads, job }: ImportRun): Promise<boolean> {
  const platform = present(await findPlatform(reads, job.platformId), "the platform of a job");
  return mayHaveWallet(platform.supportedCurrencies.map(({ currencyCode }) => currencyCode));
}

/** The error of a row; undefined when its customer was created. */
type Outcome = RowError | undefined;

interface Group {
  readonly outcomes: Promise<readonly Outcome[]>;
}

interface GroupContext {
  readonly header: Header;
  readonly wallets: boolean;
}

/** Submits a group of rows; resolves when their commands are queued, before they are committed. */
function createGroups(
  run: ImportRun,
  { header, wallets }: GroupContext,
): (rows: readonly Row[]) => Promise<Group> {
  const { checkRow, newWallet, job } = run;
  return async (rows) => {
    const ready = await Promise.all(
      rows.map(async (row): Promise<PreparedRow> => {
        const checked = checkRow(header, row);
        const isTried = checked.kind === "sound";
        const wallet = isTried && wallets ? await newWallet(job.platformId) : undefined;
        return { row, checked, wallet };
      }),
    );
    const outcomes = Promise.all(ready.map((row) => importRow(run, row)));
    // The next `await` gets the rejection; until then it must not count as unhandled.
    outcomes.catch(() => undefined);
    return { outcomes };
  };
}

interface PreparedRow {
  readonly row: Row;
  readonly checked: CheckedRow;
  readonly wallet: NewWallet | undefined;
}

async function importRow(run: ImportRun, { row, checked, wallet }: PreparedRow): Promise<Outcome> {
  if (checked.kind === "refused") return checked.error;
  const { correlationId, input } = checked;
  const refused = (code: string, message: string, details: JsonObject | null): Outcome => ({
    line: row.line,
    correlationId,
    code,
    message,
    details,
  });
  try {
    const { status, body } = await submitRow(run, row.line, { ...input, wallet });
    if (status === 201) return undefined;
    const answer = JSON.parse(body) as RefusedAnswer;
    if (wallet === undefined && answer.details?.reason === WALLET_NEEDED) {
      // The platform has enabled the currency since this run began.
      const made = await run.newWallet(run.job.platformId);
      return await importRow(run, { row, checked, wallet: made });
    }
    return refused(answer.code, answer.message, answer.details ?? null);
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    // A row that meets a bug must not block the rows after it.
    run.log.error(
      { err: messageOf(thrown), job: run.job.id, line: row.line },
      "a row failed on a bug",
    );
    return refused("INTERNAL_ERROR", messageOfCode("INTERNAL_ERROR"), null);
  }
}

interface RefusedAnswer {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
}

function submitRow(
  { engine, job, bulkJob }: ImportRun,
  line: number,
  input: RowCustomer & { readonly wallet: NewWallet | undefined },
) {
  return engine.submit({
    platformId: job.platformId,
    actor: { kind: bulkJob.isPerson ? "person" : "token", id: bulkJob.tokenId },
    isBackground: true,
    command: createCustomer,
    input,
    toAnswer: () => ({ status: 201, body: "" }),
    // The row's number identifies its content, because a stored file never changes.
    idempotency: { scope: `bulk-job:${bulkJob.id}`, key: String(line), bodyDigest: SAME_BODY },
  });
}

interface Progress {
  /** Records the groups in order as they end; waits while two are under way. */
  after(group: Group, position: number): Promise<void>;
  isLost(): boolean;
  /** The number of imported rows; undefined when another server runs the import. */
  settled(): Promise<number | undefined>;
}

function createProgress(run: ImportRun): Progress {
  const bulkJobId = run.bulkJob.id;
  let from = run.bulkJob.processed;
  let isLost = false;
  let tail: Promise<void> = Promise.resolve();

  async function note({ outcomes }: Group, position: number): Promise<void> {
    const done = await outcomes;
    if (isLost) return;
    const errors = done.filter((outcome) => outcome !== undefined);
    const failed = errors.length;
    const successful = done.length - failed;
    const input = { bulkJobId, from, successful, failed, errors, position };
    isLost = !(await record(run, recordBulkProgress, input));
    from += done.length;
  }

  return {
    async after(group, position) {
      const before = tail;
      tail = before.then(() => note(group, position));
      tail.catch(() => undefined);
      await before;
    },
    isLost: () => isLost,
    async settled() {
      await tail;
      return isLost ? undefined : from;
    },
  };
}
