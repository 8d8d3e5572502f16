/**
 * Verifies the durable data of a deployment and reports discrepancies: the books (audit/verify-books.ts), the command log, the events and
 * the audit entries (verify-log.ts), that each of them belongs to a logged command, what people agreed to (verify-approvals.ts), and the
 * results of the caller's statements (`reconciliations`).
 *
 * It may run beside a server. Mutable data is read in one transaction: the head, the accounts, the results of the statements,
 * and the last command, entry, event and audit entry. While that transaction is open, vacuum cannot remove old row versions, which
 * slows payments down. So it ends before the long part begins: commands, entries and events are append-only and are read
 * up to those last ones outside any transaction.
 *
 * Workspaces are walked like platforms.
 *
 * The four tables are merged by command number. Memory is bounded by two pages of each table, the rows of one command, and
 * a small state for each account of one platform. Nothing is written, so a crash leaves nothing behind.
 */
import type { Client } from "pg";
import type { AuditEntry } from "../engine/audit-entries.ts";
import type { LoggedCommand, StoredEvent } from "../engine/command-log.ts";
import type { Head } from "../engine/head.ts";
import type { StoredEntry } from "../ledger/postings.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { type ApprovalChecks, verifyApprovals } from "./verify-approvals.ts";
import { BooksCheck, type Finding, type Tell } from "./verify-books.ts";
import { LogCheck } from "./verify-log.ts";
import {
  accountWalk,
  auditWalk,
  type Cells,
  commandWalk,
  type End,
  entryWalk,
  eventWalk,
  type Reader,
  type Rows,
  readEnd,
  readerOn,
  readHead,
  readIsWorkspace,
  readOpenHolds,
  readPlatformIds,
  takeWhile,
  type Walk,
  walk,
} from "./verify-rows.ts";

export interface Problem extends Finding {
  readonly platformId: string;
}

export interface VerifyReport {
  readonly ok: boolean;
  readonly platforms: number;
  readonly workspaces: number;
  readonly commands: number;
  readonly entries: number;
  readonly events: number;
  readonly accounts: number;
  /** The first of the `problemCount` discrepancies, platform by platform. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

export type VerifyProgress = Omit<VerifyReport, "ok" | "problems">;

export interface VerifyOptions {
  /** A connection of its own, with no transaction open. */
  readonly client: Client;
  /** The platforms and workspaces to verify; all of them when absent. */
  readonly platformIds?: readonly string[] | undefined;
  /** Also opens sealed answers; without it only their digests are checked. */
  readonly sealer?: Sealer | undefined;
  /** Statements about the platform $1 that return each discrepancy as (table, row, what). */
  readonly reconciliations?: readonly string[];
  /** A statement like those, about the platform $1 at the host's time $2 in milliseconds. */
  readonly overdue?: { readonly text: string; readonly now: number };
  /** Checks the agreements of people; without it they are not checked. */
  readonly approvals?: ApprovalChecks | undefined;
  /** Called every `PROGRESS_STEP` commands. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
  /** Where an earlier run ended: behind this platform, with what it had found. */
  readonly from?: VerifiedTo | undefined;
  /** Called after each platform or workspace; what it throws ends the run. */
  readonly onVerified?: ((verified: VerifiedTo) => Promise<void>) | undefined;
  /** Called every `COMMANDS_A_BREATH` commands, with no transaction open; what it throws ends the run. */
  readonly breathe?: ((progress: VerifyProgress) => Promise<void>) | undefined;
}

/** How far a run has come. */
export interface VerifiedTo {
  readonly platformId: string;
  readonly report: VerifyReport;
}

const COMMANDS_A_BREATH = 64;
const PROBLEMS_KEPT = 20;
const PROGRESS_STEP = 50_000;

/** Index scans are forced, because the planner may lack statistics; PostgreSQL ends the session of a check that was killed. */
const SETTINGS = {
  timezone: "UTC",
  datestyle: "ISO",
  bytea_output: "hex",
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "60s",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  jit: "off",
};

export async function verifyPlatforms(options: VerifyOptions): Promise<VerifyReport> {
  const reader = readerOn(options.client);
  const { from, onVerified } = options;
  const tally = new Tally(options.onProgress, from?.report);
  await withSettings(reader, async () => {
    const asked = options.platformIds ?? (await readPlatformIds(reader, from?.platformId));
    for (const platformId of asked) {
      await verifyPlatform({ platformId, reader, tally, options, tell: tally.tellFor(platformId) });
      await onVerified?.({ platformId, report: tally.report() });
    }
  });
  return tally.report();
}

/** Set for the session and not for a transaction, because pages are read outside transactions, which would hold a snapshot. */
async function withSettings(reader: Reader, work: () => Promise<void>): Promise<void> {
  const names = Object.keys(SETTINGS);
  const said = names.map((name) => `current_setting('${name}')`);
  const [before = []] = await reader.query(`select ${said.join(", ")}`);
  const setting = names.map((name, index) => `set_config('${name}', $${index + 1}, false)`);
  const set = (values: Cells) =>
    reader.query(
      `select ${setting.join(", ")}`,
      values.map((value) => value ?? ""),
    );
  await set(Object.values(SETTINGS));
  try {
    await work();
  } finally {
    await set(before).catch(() => undefined);
  }
}

/** Reads in one read-only transaction. */
async function atOneMoment<Outcome>(
  reader: Reader,
  read: () => Promise<Outcome>,
): Promise<Outcome> {
  await reader.query("begin isolation level repeatable read, read only");
  try {
    return await read();
  } finally {
    await reader.query("rollback").catch(() => undefined);
  }
}

/** Counts discrepancies and keeps the first ones. */
class Tally {
  readonly #onProgress: ((progress: VerifyProgress) => void) | undefined;
  readonly #problems: Problem[];
  #counts = {
    platforms: 0,
    workspaces: 0,
    commands: 0,
    entries: 0,
    events: 0,
    accounts: 0,
    problemCount: 0,
  };

  constructor(
    onProgress: ((progress: VerifyProgress) => void) | undefined,
    earlier: VerifyReport | undefined,
  ) {
    this.#onProgress = onProgress;
    const { ok: _, problems = [], ...counts } = earlier ?? {};
    this.#problems = [...problems];
    this.#counts = { ...this.#counts, ...counts };
  }

  progress(): VerifyProgress {
    return { ...this.#counts };
  }

  tellFor(platformId: string): Tell {
    return (finding) => {
      this.#counts.problemCount++;
      if (this.#problems.length < PROBLEMS_KEPT) this.#problems.push({ platformId, ...finding });
    };
  }

  command(entries: number, events: number): void {
    this.#counts.commands++;
    this.#counts.entries += entries;
    this.#counts.events += events;
    if (this.#counts.commands % PROGRESS_STEP === 0) this.#onProgress?.({ ...this.#counts });
  }

  orphans(entries: number, events: number): void {
    this.#counts.entries += entries;
    this.#counts.events += events;
  }

  workspace(): void {
    this.#counts.workspaces++;
  }

  platform(accounts: number): void {
    this.#counts.platforms++;
    this.#counts.accounts += accounts;
  }

  report(): VerifyReport {
    const ok = this.#counts.problemCount === 0;
    return { ok, ...this.#counts, problems: [...this.#problems] };
  }
}

interface PlatformToVerify {
  readonly platformId: string;
  readonly reader: Reader;
  readonly tell: Tell;
  readonly tally: Tally;
  readonly options: VerifyOptions;
}

async function verifyPlatform(platform: PlatformToVerify): Promise<void> {
  const { platformId, reader, tell, tally, options } = platform;
  const books = new BooksCheck(tell);
  const { head, ends, found, isWorkspace } = await atOneMoment(reader, () =>
    readMoment(platform, books),
  );
  const log = new LogCheck({ platformId, head, tell, sealer: options.sealer });
  await walkInStep({
    commands: walk(reader, { platformId, of: commandWalk, end: ends.commands }),
    entries: walk(reader, { platformId, of: entryWalk, end: ends.entries }),
    events: walk(reader, { platformId, of: eventWalk, end: ends.events }),
    audits: walk(reader, { platformId, of: auditWalk, end: ends.audits }),
    books,
    log,
    tell,
    tally,
    breathe: options.breathe,
  });
  books.finish();
  log.finish();
  if (isWorkspace) tally.workspace();
  else tally.platform(books.accountCount);
  for (const finding of found) tell(finding);
  const { approvals: checks } = options;
  if (checks !== undefined) await verifyApprovals(reader, platformId, { checks, tell });
}

/** A snapshot of the mutable data, with the last command, entry and event at that moment. */
interface Moment {
  readonly head: Head | undefined;
  readonly ends: {
    readonly commands: End;
    readonly entries: End;
    readonly events: End;
    readonly audits: End;
  };
  readonly isWorkspace: boolean;
  /** Discrepancies that the caller's statements returned. */
  readonly found: readonly Finding[];
}

async function readMoment(platform: PlatformToVerify, books: BooksCheck): Promise<Moment> {
  const { platformId, reader, options } = platform;
  const endOf = <Row>(of: Walk<Row>) => readEnd(reader, platformId, of);
  const head = await readHead(reader, platformId);
  const ends = {
    commands: await endOf(commandWalk),
    entries: await endOf(entryWalk),
    events: await endOf(eventWalk),
    audits: await endOf(auditWalk),
  };
  const isWorkspace = await readIsWorkspace(reader, platformId);
  const accounts = walk(reader, { platformId, of: accountWalk, end: await endOf(accountWalk) });
  await takeWhile(accounts, always, (account) => books.account(account));
  for (const [id, minor] of await readOpenHolds(reader, platformId)) books.openHolds(id, minor);
  const found: Finding[] = [];
  const look = async (text: string, values: readonly string[]) => {
    for (const [table, row, what] of await reader.query(text, values))
      found.push({ table: table ?? "", row: row ?? "", what: what ?? "" });
  };
  for (const text of options.reconciliations ?? []) await look(text, [platformId]);
  const { overdue } = options;
  if (overdue !== undefined) await look(overdue.text, [platformId, `${overdue.now}`]);
  return { head, ends, found, isWorkspace };
}

interface PlatformWalk extends Pick<PlatformToVerify, "tell" | "tally"> {
  readonly commands: Rows<LoggedCommand>;
  readonly entries: Rows<StoredEntry>;
  readonly events: Rows<StoredEvent>;
  readonly audits: Rows<AuditEntry>;
  readonly books: BooksCheck;
  readonly log: LogCheck;
  readonly breathe: VerifyOptions["breathe"];
}

async function walkInStep(walks: PlatformWalk): Promise<void> {
  const { commands, books, log, tally, breathe } = walks;
  for (let step = 1; ; step++) {
    if (step % COMMANDS_A_BREATH === 0) await breathe?.(tally.progress());
    if (commands.isDry) await commands.fill();
    const command = commands.current;
    log.reach(command?.seq);
    await passOrphans(walks, command?.seq);
    if (command === undefined) return;
    const isOfCommand = ({ commandSeq }: OfCommand) => commandSeq === command.seq;
    const entries: StoredEntry[] = [];
    await takeWhile(walks.entries, isOfCommand, (entry) => {
      books.entry(entry);
      entries.push(entry);
    });
    const events: StoredEvent[] = [];
    await takeWhile(walks.events, isOfCommand, (event) => {
      log.event(event);
      events.push(event);
    });
    let audit: AuditEntry | undefined;
    await takeWhile(walks.audits, isOfCommand, (entry) => {
      audit = entry;
    });
    log.command(command, { entries, events, audit });
    tally.command(entries.length, events.length);
    commands.step();
  }
}

interface OfCommand {
  readonly commandSeq: bigint;
}

/** Reports entries, events and audit entries whose command is not in the log: those before the next command, or all the remaining ones. */
async function passOrphans(walks: PlatformWalk, before: bigint | undefined): Promise<void> {
  const { entries, events, books, log, tell, tally } = walks;
  const isOrphan = ({ commandSeq }: OfCommand) => before === undefined || commandSeq < before;
  const what = (seq: bigint) => `its command ${seq} is not in the log, or not at this place`;
  await takeWhile(entries, isOrphan, (entry) => {
    const row = `command ${entry.commandSeq}, line ${entry.line}`;
    tell({ table: entryWalk.table, row, what: what(entry.commandSeq) });
    books.entry(entry);
    tally.orphans(1, 0);
  });
  await takeWhile(events, isOrphan, (event) => {
    tell({ table: eventWalk.table, row: `event ${event.seq}`, what: what(event.commandSeq) });
    log.event(event);
    tally.orphans(0, 1);
  });
  await takeWhile(walks.audits, isOrphan, (entry) => {
    const row = `of command ${entry.commandSeq}`;
    tell({ table: auditWalk.table, row, what: what(entry.commandSeq) });
  });
}

const always = () => true;
