/**
 * A batch: the in-memory world in which the waiting commands of one platform decide one after the other, with everything they
 * change. Nothing here touches the database. Each change records its undo, so a command that refuses or fails is rolled back
 * alone. The engine writes the whole batch in one commit, or drops it together with the rows it changed in the cache.
 */

import { type LedgerAccount, ledgerAccounts } from "../ledger/chart.ts";
import {
  applyPosting,
  type Entry,
  type Posting,
  type PostingRefusal,
  type StoredEntry,
} from "../ledger/postings.ts";
import { assert, Bug } from "../std/assert.ts";
import { toIso } from "../std/clock.ts";
import { type Ids, timeOf, toWireId } from "../std/ids.ts";
import type { Children, Ref, Table, TableRow } from "../tables/tables.ts";
import type { AuditEntry, RowChange } from "./audit-entries.ts";
import type { RowCache } from "./cache/row-cache.ts";
import type { Actor, DomainName, Job, NewJob, Rehearsed, Subject, World } from "./command.ts";
import type { StoredEvent } from "./command-log.ts";
import type { Head } from "./head.ts";
import { functionsOf, type Port, type Ports } from "./port.ts";
import type { DomainChange } from "./records.ts";
import { lowBalance, Refusal } from "./refusal.ts";

export interface ScheduledJob extends Job {
  readonly dueAt: number;
}

export interface DirtyRow {
  readonly row: TableRow;
  readonly before: TableRow | undefined;
}

export interface BatchOptions {
  readonly platformId: string;
  readonly head: Head;
  readonly at: number;
  readonly rows: RowCache;
  readonly ids: Ids;
  readonly renderEvent: (subject: Subject, platformId: string) => string;
  readonly ports?: Ports | undefined;
}

export class Batch implements World {
  readonly platformId: string;
  readonly at: number;
  readonly entries: StoredEntry[] = [];
  readonly events: StoredEvent[] = [];
  readonly auditEntries: AuditEntry[] = [];
  readonly jobs: ScheduledJob[] = [];
  readonly cancelledJobs: string[] = [];
  readonly handles: string[] = [];
  /** In the order of the commands: one may release a domain that the next one claims. */
  readonly domainChanges: DomainChange[] = [];
  readonly dirty = new Map<Table<TableRow>, Map<string, DirtyRow>>();
  readonly #options: BatchOptions;
  readonly #children = new Map<string, readonly string[]>();
  readonly #undo: (() => void)[] = [];
  /** The length of the undo log when the open command began. */
  #commandStart = 0;
  #actor: Actor = { kind: "operator", id: "none" };
  #clockOffsetMs: number;
  #commandSeq: bigint;
  #postings = 0;
  #isDeciding = false;
  /** The rows that the open command has put; undefined when it is not audited. */
  #rowChanges: RowChange[] | undefined;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.platformId = options.platformId;
    this.at = options.at;
    this.#clockOffsetMs = options.head.clockOffsetMs;
    this.#commandSeq = options.head.seq;
  }

  get actor(): Actor {
    return this.#actor;
  }

  get clockOffsetMs(): number {
    return this.#clockOffsetMs;
  }

  get clockAdvanceMs(): number {
    return this.#clockOffsetMs - this.#options.head.clockOffsetMs;
  }

  get eventSeq(): bigint {
    return this.#options.head.eventSeq + BigInt(this.events.length);
  }

  get isEmpty(): boolean {
    return (
      this.dirty.size + this.entries.length + this.events.length + this.jobs.length === 0 &&
      this.cancelledJobs.length + this.handles.length + this.domainChanges.length === 0 &&
      this.#clockOffsetMs === this.#options.head.clockOffsetMs
    );
  }

  port<Functions extends object>(port: Port<Functions>): Functions {
    return functionsOf(this.#options.ports, port);
  }

  /** Ends the loading: from here on, reading a row that `needs` did not name is a bug. */
  closeLoading(): void {
    this.#isDeciding = true;
  }

  /** The rows that the open command has put, in order; none unless it is audited. */
  get rowChanges(): readonly RowChange[] {
    return this.#rowChanges ?? [];
  }

  /** Opens a savepoint for a command; the next call closes it. */
  begin(actor: Actor, commandSeq: bigint, isAudited = false): void {
    this.#rowChanges = isAudited ? [] : undefined;
    this.#actor = actor;
    this.#commandSeq = commandSeq;
    this.#postings = 0;
    this.#commandStart = this.#undo.length;
  }

  undo(): void {
    this.#undoTo(this.#commandStart);
  }

  onBehalfOf<Outcome>(actor: Actor, part: () => Outcome): Outcome {
    const own = this.#actor;
    this.#actor = actor;
    try {
      return part();
    } finally {
      this.#actor = own;
    }
  }

  attempt<Outcome>(part: () => Outcome): Outcome | Refusal {
    const start = this.#undo.length;
    const postings = this.#postings;
    try {
      return part();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#undoTo(start);
      this.#postings = postings;
      return error;
    }
  }

  rehearse<Outcome>(part: (soFar: () => Rehearsed) => Outcome): Outcome {
    const start = this.#undo.length;
    const postings = this.#postings;
    const audited = this.#rowChanges;
    const rows: RowChange[] = [];
    const { length: emitted } = this.events;
    this.#rowChanges = rows;
    try {
      return part(() => ({ rows, events: this.events.slice(emitted).map(({ type }) => type) }));
    } finally {
      this.#undoTo(start);
      this.#postings = postings;
      this.#rowChanges = audited;
    }
  }

  /** Rolls back the whole batch in memory: the cached rows are again those from before it. */
  undoAll(): void {
    this.#commandStart = 0;
    this.undo();
  }

  /** Drops the undo log: after this the batch cannot be rolled back in memory. */
  closeDeciding(): void {
    this.#undo.length = 0;
    this.#commandStart = 0;
  }

  get hasChanged(): boolean {
    return this.#undo.length > this.#commandStart;
  }

  /** Whether a row must be loaded before `find` can answer for it. */
  isUnknown(ref: Ref<TableRow> | Children<TableRow>): boolean {
    if (ref.kind === "children") return !this.#children.has(childrenKey(ref));
    return this.#options.rows.find(ref) === undefined && !this.#options.rows.isAbsent(ref);
  }

  /** Receives the rows that were found for a set of ids; rows of the other ids do not exist. */
  receiveRows(table: Table<TableRow>, ids: readonly string[], rows: readonly TableRow[]): void {
    for (const row of rows) this.#options.rows.put(table, row);
    const found = new Set(rows.map((row) => row.id));
    for (const id of ids) if (!found.has(id)) this.#options.rows.markAbsent(table, id);
  }

  receiveChildren(children: Children<TableRow>, rows: readonly TableRow[]): void {
    const { lookup } = children;
    for (const row of rows) {
      if (this.#options.rows.find(lookup.table.ref(row.id)) === undefined) {
        this.#options.rows.put(lookup.table, row);
      }
    }
    this.#children.set(
      childrenKey(children),
      rows.map((row) => row.id),
    );
  }

  find<Row extends TableRow>(ref: Ref<Row>): Row | undefined {
    const row = this.#options.rows.find(ref);
    if (row === undefined && this.#isDeciding && !this.#options.rows.isAbsent(ref)) {
      throw new Bug(`${ref.table.name} ${ref.id} was not asked for in needs`);
    }
    return row;
  }

  get<Row extends TableRow>(ref: Ref<Row>): Row {
    const row = this.#options.rows.find(ref);
    if (row === undefined)
      throw new Bug(`${ref.table.name} ${ref.id} was not loaded or does not exist`);
    return row;
  }

  all<Row extends TableRow>(children: Children<Row>): readonly Row[] {
    const { lookup, key } = children;
    // A row created in this batch has no children in the database yet.
    if (this.#isDeciding && !this.#children.has(childrenKey(children)) && !this.#isNew(key)) {
      throw new Bug(`${lookup.name} of ${key} was not asked for in needs`);
    }
    const ids = new Set(this.#children.get(childrenKey(children)));
    for (const { row } of this.dirty.get(lookup.table)?.values() ?? []) ids.add(row.id);
    const rows: Row[] = [];
    for (const id of ids) {
      const row = this.#options.rows.find(lookup.table.ref(id));
      if (row !== undefined && lookup.keyOf(row) === key && lookup.holds(row)) rows.push(row);
    }
    return rows;
  }

  #isNew(id: string): boolean {
    for (const rows of this.dirty.values()) {
      const dirty = rows.get(id);
      if (dirty !== undefined && dirty.before === undefined) return true;
    }
    return false;
  }

  newId(): string {
    return this.#options.ids.next(this.at);
  }

  put<Row extends TableRow>(table: Table<Row>, row: Row): Row {
    const ref = table.ref(row.id);
    const { rows } = this.#options;
    const before = rows.find(ref);
    const wasAbsent = before === undefined && rows.isAbsent(ref);
    const dirty = this.#dirtyOf(table);
    const dirtyBefore = dirty.get(row.id);
    assert(
      before !== undefined || wasAbsent || dirtyBefore !== undefined || isFresh(row.id, this.at),
      `${table.name} ${row.id} is written without having been loaded`,
    );
    dirty.set(row.id, { row, before: dirtyBefore === undefined ? before : dirtyBefore.before });
    rows.put(table, row);
    this.#undo.push(() => {
      if (before === undefined) rows.remove(table, row.id);
      else rows.put(table, before);
      if (wasAbsent) rows.markAbsent(table, row.id);
      if (dirtyBefore === undefined) dirty.delete(row.id);
      else dirty.set(row.id, dirtyBefore);
      if (dirty.size === 0) this.dirty.delete(table);
    });
    if (this.#rowChanges !== undefined) this.#noteChange({ table, before, after: row });
    return row;
  }

  post(posting: Posting): void {
    const accounts = {
      find: (id: string) => this.#options.rows.find(ledgerAccounts.ref(id)),
      put: (account: LedgerAccount) => {
        this.put(ledgerAccounts, account);
      },
    };
    const outcome = applyPosting(accounts, posting, { at: this.at, posting: this.#postings });
    if (outcome.kind !== "posted") throw refusalOf(outcome);
    this.#postings++;
    const length = this.entries.length;
    let line = this.#linesOfCommand();
    for (const entry of outcome.entries) {
      this.entries.push(storedEntry(entry, { commandSeq: this.#commandSeq, line, at: this.at }));
      line++;
    }
    this.#undo.push(() => {
      this.entries.length = length;
    });
  }

  emit(type: string, subject: Subject): void {
    const seq = this.eventSeq + 1n;
    const id = this.newId();
    const body =
      `{"id":"Webhook:${id}","type":"${type}","timestamp":"${toIso(this.at)}",` +
      `"data":${this.#options.renderEvent(subject, this.platformId)}}`;
    this.events.push({
      seq,
      id,
      commandSeq: this.#commandSeq,
      type,
      subject: subject.id,
      at: this.at,
      body,
    });
    this.#undo.push(() => this.events.pop());
  }

  schedule(job: NewJob): string {
    const id = this.newId();
    const { kind, payload, dueAt } = job;
    this.jobs.push({ platformId: this.platformId, id, kind, payload, dueAt });
    this.#undo.push(() => this.jobs.pop());
    return id;
  }

  /** The jobs that were scheduled and not cancelled again. */
  pendingJobs(): readonly ScheduledJob[] {
    if (this.cancelledJobs.length === 0) return this.jobs;
    const cancelled = new Set(this.cancelledJobs);
    return this.jobs.filter((job) => !cancelled.has(job.id));
  }

  cancel(jobId: string): void {
    this.cancelledJobs.push(jobId);
    this.#undo.push(() => this.cancelledJobs.pop());
  }

  claimHandle(handle: string): void {
    this.handles.push(handle);
    this.#undo.push(() => this.handles.pop());
  }

  claimDomain(name: DomainName): void {
    this.#changeDomain({ kind: "claim", ...name });
  }

  releaseDomain(name: DomainName): void {
    this.#changeDomain({ kind: "release", ...name });
  }

  #changeDomain(change: DomainChange): void {
    this.domainChanges.push(change);
    this.#undo.push(() => this.domainChanges.pop());
  }

  advanceClock(seconds: number): number {
    assert(seconds > 0, "a clock only goes forward");
    const before = this.#clockOffsetMs;
    this.#clockOffsetMs += seconds * 1000;
    this.#undo.push(() => {
      this.#clockOffsetMs = before;
    });
    return this.at + this.clockAdvanceMs;
  }

  #noteChange(change: RowChange): void {
    const changes = this.#rowChanges;
    changes?.push(change);
    this.#undo.push(() => changes?.pop());
  }

  #dirtyOf(table: Table<TableRow>): Map<string, DirtyRow> {
    let rows = this.dirty.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.dirty.set(table, rows);
    }
    return rows;
  }

  #undoTo(start: number): void {
    while (this.#undo.length > start) this.#undo.pop()?.();
  }

  #linesOfCommand(): number {
    const last = this.entries.at(-1);
    return last !== undefined && last.commandSeq === this.#commandSeq ? last.line + 1 : 0;
  }
}

/** Copied member by member: a spread followed by more members is several times slower in V8. */
function storedEntry(
  entry: Entry,
  place: { readonly commandSeq: bigint; readonly line: number; readonly at: number },
): StoredEntry {
  return {
    commandSeq: place.commandSeq,
    line: place.line,
    accountId: entry.accountId,
    version: entry.version,
    posting: entry.posting,
    reason: entry.reason,
    currency: entry.currency,
    amountMinor: entry.amountMinor,
    balanceAfterMinor: entry.balanceAfterMinor,
    heldForAccountId: entry.heldForAccountId,
    at: place.at,
  };
}

function refusalOf(outcome: PostingRefusal): Refusal {
  if (outcome.kind === "insufficient") {
    return lowBalance({ ...outcome, accountId: toWireId("InternalAccount", outcome.accountId) });
  }
  const { currency } = outcome;
  return new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { currency },
    `An account would exceed the largest balance that can be counted in ${currency}.`,
  );
}

/** Whether an id is not older than the batch, as that of a new row is: such a row need not be loaded before it is written. */
function isFresh(id: string, at: number): boolean {
  return timeOf(id) >= at;
}

function childrenKey(children: Children<TableRow>): string {
  return `${children.lookup.name}/${children.key}`;
}
