/**
 * Reads the rows of one platform in pages, in key order. The next page is requested as soon as the last one has arrived, so
 * that the database reads while this process checks. At most two pages a table are in memory. A read ends at a given last
 * row; rows that were added later are not read.
 *
 * Cells are read as text, independent of the settings of the connection. The engine writes whole milliseconds; any other
 * time decodes to NaN, so that a change by a microsecond is found.
 */
import type { Client } from "pg";
import type { AuditEntry } from "../engine/audit-entries.ts";
import { answerText, type LoggedCommand, type StoredEvent } from "../engine/command-log.ts";
import type { Head } from "../engine/head.ts";
import type { LedgerAccount } from "../ledger/chart.ts";
import type { PostingReason, StoredEntry } from "../ledger/postings.ts";
import { isLost } from "../postgres/database.ts";
import { Fault } from "../std/errors.ts";
import { BEFORE_ALL_IDS } from "../std/ids.ts";

export type Cells = readonly (string | null)[];

/** The columns of a table; those of its sort key come first. */
export interface Walk<Row> {
  readonly table: string;
  readonly columns: string;
  readonly key: readonly string[];
  readonly keyTypes: readonly string[];
  readonly pageRows: number;
  decode(cells: Cells): Row;
}

/** A cursor on a row, or behind the last one. While it is `dry`, its page is used up: call `fill` first. */
export interface Rows<Row> {
  readonly current: Row | undefined;
  readonly isDry: boolean;
  /** Goes to the next row. */
  step(): void;
  /** Waits for the next page and goes to its first row. */
  fill(): Promise<void>;
}

/** Passes rows on while the predicate holds, and stops at the first row for which it does not. */
export async function takeWhile<Row>(
  rows: Rows<Row>,
  isWanted: (row: Row) => boolean,
  take: (row: Row) => void,
): Promise<void> {
  for (;;) {
    if (rows.isDry) await rows.fill();
    const row = rows.current;
    if (row === undefined || !isWanted(row)) return;
    take(row);
    rows.step();
  }
}

/** Runs queries over one connection, one after another in the order of the calls. */
export interface Reader {
  query(text: string, values?: readonly string[]): Promise<Cells[]>;
}

const asText = { getTypeParser: () => (text: string) => text };

export function readerOn(client: Client): Reader {
  let turn: Promise<unknown> = Promise.resolve();
  async function ask(text: string, values: readonly string[]): Promise<Cells[]> {
    try {
      const asked = { text, values: [...values], rowMode: "array", types: asText } as const;
      return (await client.query<(string | null)[]>(asked)).rows;
    } catch (error) {
      if (isLost(error)) throw new Fault("the database did not answer", { cause: error });
      throw error;
    }
  }
  return {
    query(text, values = []) {
      const answer = turn.then(() => ask(text, values));
      turn = answer.catch(() => undefined);
      return answer;
    },
  };
}

/** The key of a table's last row; undefined when it has none. */
export type End = Cells | undefined;

export async function readEnd<Row>(
  reader: Reader,
  platformId: string,
  { table, key }: Walk<Row>,
): Promise<End> {
  const backwards = key.map((column) => `${column} desc`).join(", ");
  const [end] = await reader.query(
    `select ${key.join(", ")} from ${table} where platform_id = $1::uuid order by ${backwards} limit 1`,
    [platformId],
  );
  return end;
}

export interface Stretch<Row> {
  readonly platformId: string;
  readonly of: Walk<Row>;
  readonly end: End;
}

export function walk<Row>(reader: Reader, stretch: Stretch<Row>): Rows<Row> {
  return new PagedRows(reader, stretch);
}

class PagedRows<Row> implements Rows<Row> {
  current: Row | undefined;
  isDry = true;
  readonly #reader: Reader;
  readonly #stretch: Stretch<Row>;
  #page: Cells[] = [];
  #index = 0;
  #next: Promise<Cells[]> | undefined;

  constructor(reader: Reader, stretch: Stretch<Row>) {
    this.#reader = reader;
    this.#stretch = stretch;
    this.#next = stretch.end === undefined ? undefined : this.#read(stretch.end, undefined);
  }

  step(): void {
    const cells = this.#page[this.#index++];
    this.current = cells === undefined ? undefined : this.#stretch.of.decode(cells);
    this.isDry = cells === undefined && this.#next !== undefined;
  }

  async fill(): Promise<void> {
    this.#page = (await this.#next) ?? [];
    this.#index = 0;
    const { end, of } = this.#stretch;
    const last = this.#page.at(-1);
    const isFull = this.#page.length === of.pageRows;
    this.#next = isFull && end !== undefined ? this.#read(end, last) : undefined;
    this.step();
  }

  #read(end: Cells, after: Cells | undefined): Promise<Cells[]> {
    const { platformId, of } = this.#stretch;
    const { table, columns, key, keyTypes, pageRows } = of;
    const keys = key.join(", ");
    const keyOf = (row: Cells) => row.slice(0, key.length).map((cell) => cell ?? "");
    const place = (from: number) =>
      keyTypes.map((type, index) => `$${from + index}::${type}`).join(", ");
    const isBehind = after === undefined ? "" : ` and (${keys}) > (${place(key.length + 2)})`;
    const page = this.#reader.query(
      `select ${columns} from ${table} where platform_id = $1::uuid and (${keys}) <= (${place(2)})` +
        `${isBehind} order by ${keys} limit ${pageRows}`,
      [platformId, ...keyOf(end), ...(after === undefined ? [] : keyOf(after))],
    );
    // The reader of this page gets its failure. When another page ends the walk first, no reader does, so the rejection is handled here.
    page.catch(() => undefined);
    return page;
  }
}

/** What the open holds of each account hold. */
export async function readOpenHolds(
  reader: Reader,
  platformId: string,
): Promise<readonly (readonly [accountId: string, minor: bigint])[]> {
  const rows = await reader.query(
    "select account_id, sum(amount_minor - captured_minor) from holds " +
      "where platform_id = $1::uuid and status = 'OPEN' group by account_id",
    [platformId],
  );
  return rows.map(([accountId, minor]) => [text(accountId), whole(minor)] as const);
}

export const accountWalk: Walk<LedgerAccount> = {
  table: "ledger_accounts",
  columns:
    "id, kind, currency, connection_id, guarded, balance_minor, held_minor, version, updated_at",
  key: ["id"],
  keyTypes: ["uuid"],
  pageRows: 5_000,
  decode: ([id, kind, currency, connectionId, guarded, balance, held, version, updatedAt]) => ({
    id: text(id),
    kind: text(kind) as LedgerAccount["kind"],
    currency: text(currency),
    connectionId: connectionId ?? null,
    guarded: guarded === "t",
    balanceMinor: whole(balance),
    heldMinor: whole(held),
    version: whole(version),
    updatedAt: time(updatedAt),
  }),
};

export const entryWalk: Walk<StoredEntry> = {
  table: "ledger_entries",
  columns:
    "command_seq, line, account_id, version, posting, reason, currency, amount_minor, balance_after_minor, " +
    "held_for_account_id, at",
  key: ["command_seq", "line"],
  keyTypes: ["int8", "int4"],
  pageRows: 5_000,
  decode: (cells) => ({
    commandSeq: whole(cells[0]),
    line: Number(cells[1]),
    accountId: text(cells[2]),
    version: whole(cells[3]),
    posting: Number(cells[4]),
    reason: text(cells[5]) as PostingReason,
    currency: text(cells[6]),
    amountMinor: whole(cells[7]),
    balanceAfterMinor: whole(cells[8]),
    heldForAccountId: cells[9] ?? null,
    at: time(cells[10]),
  }),
};

export const eventWalk: Walk<StoredEvent> = {
  table: "events",
  columns: "seq, id, command_seq, type, subject, at, body",
  key: ["seq"],
  keyTypes: ["int8"],
  pageRows: 2_000,
  decode: ([seq, id, commandSeq, type, subject, at, body]) => ({
    seq: whole(seq),
    id: text(id),
    commandSeq: whole(commandSeq),
    type: text(type),
    subject: text(subject),
    at: time(at),
    body: text(body),
  }),
};

export const auditWalk: Walk<AuditEntry> = {
  table: "audit_entries",
  columns:
    "command_seq, id, at, actor_kind, actor_id, actor_name, act, target_kind, target_id, target_label, reason, changes, " +
    "address, user_agent, session_id, approval_id, request_id",
  key: ["command_seq"],
  keyTypes: ["int8"],
  pageRows: 2_000,
  decode: (cells) => ({
    commandSeq: whole(cells[0]),
    id: text(cells[1]),
    at: time(cells[2]),
    actorKind: text(cells[3]),
    actorId: text(cells[4]),
    actorName: cells[5] ?? null,
    act: text(cells[6]),
    targetKind: cells[7] ?? null,
    targetId: cells[8] ?? null,
    targetLabel: cells[9] ?? null,
    reason: cells[10] ?? null,
    changes: text(cells[11]),
    address: cells[12] ?? null,
    userAgent: cells[13] ?? null,
    sessionId: cells[14] ?? null,
    approvalId: cells[15] ?? null,
    requestId: cells[16] ?? null,
  }),
};

export const commandWalk: Walk<LoggedCommand> = {
  table: "command_log",
  columns:
    "seq, id, name, actor, at, clock_offset_ms, idempotency_digest, idempotency_scope, idempotency_key, body_digest, " +
    `status, ${answerText} as answer, ` +
    "answer_sealed, answer_digest, effects_digest, hash",
  key: ["seq"],
  keyTypes: ["int8"],
  pageRows: 2_000,
  decode: (cells) => ({
    seq: whole(cells[0]),
    id: text(cells[1]),
    name: text(cells[2]),
    actor: text(cells[3]),
    at: time(cells[4]),
    clockOffsetMs: whole(cells[5]),
    idempotencyDigest: cells[6] ?? null,
    idempotencyScope: cells[7] ?? null,
    idempotencyKey: cells[8] ?? null,
    bodyDigest: cells[9] === null ? null : bytes(cells[9]),
    status: Number(cells[10]),
    answer: cells[11] ?? null,
    answerSealed: cells[12] === "t",
    answerDigest: bytes(cells[13]),
    effectsDigest: bytes(cells[14]),
    hash: bytes(cells[15]),
  }),
};

export async function readHead(reader: Reader, platformId: string): Promise<Head | undefined> {
  const [cells] = await reader.query(
    "select seq, event_seq, clock_offset_ms, last_at, chain_hash from platform_heads where platform_id = $1::uuid",
    [platformId],
  );
  if (cells === undefined) return undefined;
  const [seq, eventSeq, clockOffsetMs, lastAt, chainHash] = cells;
  return {
    seq: whole(seq),
    eventSeq: whole(eventSeq),
    clockOffsetMs: Number(clockOffsetMs),
    lastAt: time(lastAt),
    chainHash: bytes(chainHash),
  };
}

/** Whether this partition is a workspace and no platform. */
export async function readIsWorkspace(reader: Reader, platformId: string): Promise<boolean> {
  const found = await reader.query("select 1 from workspaces where platform_id = $1::uuid", [
    platformId,
  ]);
  return found.length > 0;
}

/**
 * Every partition, a platform or a workspace, that has a row in any table, by a skip scan of each table's primary key: one statement a
 * partition, because a distributed database runs no recursive query over all of them.
 */
export async function readPlatformIds(
  reader: Reader,
  behind = BEFORE_ALL_IDS,
): Promise<readonly string[]> {
  const tables = [
    "platform_heads",
    commandWalk.table,
    eventWalk.table,
    accountWalk.table,
    entryWalk.table,
    auditWalk.table,
  ];
  const next = tables.map(
    (table) =>
      `(select platform_id from ${table} where platform_id > $1::uuid order by platform_id limit 1)`,
  );
  const text = `select platform_id from (${next.join(" union all ")}) p order by platform_id limit 1`;
  const found: string[] = [];
  for (let after = behind; ; ) {
    const [cells] = await reader.query(text, [after]);
    const [platformId] = cells ?? [];
    if (platformId === undefined || platformId === null) return found;
    found.push(platformId);
    after = platformId;
  }
}

function text(cell: string | null | undefined): string {
  return cell ?? "";
}

function whole(cell: string | null | undefined): bigint {
  return BigInt(cell ?? 0);
}

function bytes(cell: string | null | undefined): Buffer {
  return Buffer.from((cell ?? "\\x").slice(2), "hex");
}

const WHOLE_MILLISECONDS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/;

let lastTime = { text: "", at: Number.NaN };

/** Caches the last result: rows of one commit have the same time. */
function time(cell: string | null | undefined): number {
  const written = cell ?? "";
  if (written === lastTime.text) return lastTime.at;
  const at = WHOLE_MILLISECONDS.test(written)
    ? Date.parse(`${written.slice(0, 10)}T${written.slice(11, -3)}Z`)
    : Number.NaN;
  lastTime = { text: written, at };
  return at;
}
