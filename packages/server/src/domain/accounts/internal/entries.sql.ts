/** Reads of entries and postings. */
import { ledgerEntries, type PostingReason, type StoredEntry } from "../../../ledger/postings.ts";
import type { Reads, ReadValue } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import { searchPositions } from "../../../tables/search.ts";

export interface ListedEntry extends StoredEntry {
  /** The wire id of the transaction that the events of the entry's command name. */
  readonly transactionId: string | null;
}

export interface Moments {
  /** Inclusive bounds, platform time. */
  readonly since: string | undefined;
  readonly until: string | undefined;
}

const COLUMNS = ledgerEntries.selectList("e");

/**
 * The transaction that the events of a command name; of several the one with the least id. `offset 0` keeps the condition on the subject
 * out of the inner query, so that PostgreSQL does not read an index of subjects instead.
 */
const transactionsOf = {
  name: "ledger_entries/transactions",
  text:
    "select r.command_seq, t.id from event_ranges($1::uuid, $2::int8[]) r, lateral (" +
    "select min(v.subject) as id from (select e.subject from events e where e.platform_id = $1::uuid " +
    "and e.seq >= r.first_seq and e.seq < r.end_seq offset 0) v where v.subject like 'Transaction:%') t",
};

/** The entries with their transactions, which one statement finds for all of them. */
async function withTransactions(
  reads: Reads,
  platformId: string,
  found: readonly (string | null)[][],
): Promise<readonly ListedEntry[]> {
  const entries = found.map((cells) => ledgerEntries.decode(cells));
  const commands = new Set(entries.map(({ commandSeq }) => String(commandSeq)));
  if (commands.size === 0) return [];
  const rows = await reads.cells(transactionsOf, [platformId, [...commands]]);
  const transactions = new Map(rows.map(([seq, id]) => [seq, id ?? null]));
  return entries.map((entry) => ({
    ...entry,
    transactionId: transactions.get(String(entry.commandSeq)) ?? null,
  }));
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Where the next page begins, unless that is directly after the last row. */
  readonly end?: string | undefined;
}

export interface EntryQuery extends Moments {
  readonly platformId: string;
  readonly accountId: string;
  readonly reason: string | undefined;
  readonly order: "asc" | "desc";
  /** The version of the last entry of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** The entries of an account by version. A filter by reason has no index and is searched: see tables/search.ts. */
export async function listEntries(reads: Reads, query: EntryQuery): Promise<Page<ListedEntry>> {
  const { platformId, accountId, reason, order, after, limit } = query;
  const values: ReadValue[] = [platformId, accountId];
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const clauses = ["e.platform_id = $1::uuid and e.account_id = $2::uuid"];
  const [from, to] = await boundsAt(reads, query, {
    ...versionsAt,
    about: [platformId, accountId],
  });
  if (from !== undefined) clauses.push(`e.version >= ${place(from)}::int8`);
  if (to !== undefined) clauses.push(`e.version < ${place(to)}::int8`);
  if (after !== undefined) {
    clauses.push(`e.version ${order === "asc" ? ">" : "<"} ${place(after)}::int8`);
  }
  const ordered = `from ledger_entries e where ${clauses.join(" and ")} order by e.version ${order}`;
  if (reason !== undefined) {
    const walk = `select e.version::text as position, e.reason ${ordered}`;
    const fits = `w.reason = ${place(reason)}::text`;
    const { positions, ...more } = await searchPositions(reads, { walk, fits, values, limit });
    const statement = entriesAt[order];
    const found = await reads.cells(statement, [platformId, accountId, positions]);
    return { rows: await withTransactions(reads, platformId, found), ...more };
  }
  const text = `select ${COLUMNS} ${ordered} limit ${place(limit + 1)}::int8`;
  const found = await reads.cells({ name: "", text }, values);
  const rows = await withTransactions(reads, platformId, found.slice(0, limit));
  return { rows, hasMore: found.length > limit };
}

const entriesAt = {
  asc: { name: "ledger_entries/at", text: textOfEntriesAt("asc") },
  desc: { name: "ledger_entries/at-desc", text: textOfEntriesAt("desc") },
};

function textOfEntriesAt(order: "asc" | "desc"): string {
  return (
    `select ${COLUMNS} from ledger_entries e where e.platform_id = $1::uuid ` +
    `and e.account_id = $2::uuid and e.version = any ($3::int8[]) order by e.version ${order}`
  );
}

/** Bounds of time as versions, the second exclusive. Platform times are whole milliseconds, so adding one makes it so. */
const versionsAt = {
  name: "ledger_entries/versions-at",
  text:
    "select case when $3::timestamptz is not null then entry_version_at($1::uuid, $2::uuid, $3::timestamptz) end, " +
    "case when $4::timestamptz is not null then entry_version_at($1::uuid, $2::uuid, $4::timestamptz + interval '1 millisecond') end",
};
const commandSeqsAt = {
  name: "command_log/seqs-at",
  text:
    "select case when $2::timestamptz is not null then command_seq_at($1::uuid, $2::timestamptz) end, " +
    "case when $3::timestamptz is not null then command_seq_at($1::uuid, $3::timestamptz + interval '1 millisecond') end",
};

/**
 * Bounds of time as numbers. They are read before the page: PostgreSQL assumes that a bound it learns only while executing is narrow, and
 * then reads and sorts everything within it.
 */
async function boundsAt(
  reads: Reads,
  { since, until }: Moments,
  { about, ...statement }: Statement & { readonly about: readonly string[] },
): Promise<readonly (bigint | undefined)[]> {
  if (since === undefined && until === undefined) return [];
  const [found] = await reads.cells(statement, [...about, since ?? null, until ?? null]);
  return (found ?? []).map((cell) => (cell === null ? undefined : BigInt(cell)));
}

/** Bounds of time as command numbers; the second one is exclusive. */
export function commandsAt(
  reads: Reads,
  platformId: string,
  moments: Moments,
): Promise<readonly (bigint | undefined)[]> {
  return boundsAt(reads, moments, { ...commandSeqsAt, about: [platformId] });
}

export interface ListedPosting {
  readonly commandSeq: bigint;
  readonly posting: number;
  readonly legs: readonly ListedEntry[];
}

export interface PostingQuery extends Moments {
  readonly platformId: string;
  readonly accountId: string | undefined;
  readonly reason: string | undefined;
  /** A wire id. */
  readonly transactionId: string | undefined;
  /** The last posting of the page before. */
  readonly after: { readonly commandSeq: bigint; readonly posting: number } | undefined;
  readonly limit: number;
}

/**
 * Whether an entry is the first of its posting, or the first of one account in its posting. A subquery per entry, because `not exists` lets
 * PostgreSQL join the page with all entries of the platform. `<=`, because PostgreSQL estimates `=` as rare, and then reads and sorts all
 * entries.
 */
function isFirst(ofAccount: string): string {
  return (
    "e.line <= (select p.line from ledger_entries p where p.platform_id = $1::uuid " +
    `and p.command_seq = e.command_seq and p.posting = e.posting${ofAccount} order by p.line limit 1)`
  );
}

/** Reasons that payments write very often. The index of rare reasons leaves them out (migrations/0034). */
const frequentReasons: ReadonlySet<string> = new Set<PostingReason>([
  "payout.hold",
  "payout.settle",
  "pull.settle",
  "book.transfer",
  "quote.hold",
  "quote.convert",
]);
/** The predicate of that partial index. */
const IS_RARE = `e.reason <> all (array[${[...frequentReasons].map((reason) => `'${reason}'`).join(", ")}])`;

/** Postings, the latest first. A filter by a reason without an index is searched: see tables/search.ts. */
export async function listPostings(
  reads: Reads,
  query: PostingQuery,
): Promise<Page<ListedPosting>> {
  const { accountId, reason, transactionId, after, limit } = query;
  const values: ReadValue[] = [query.platformId];
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const clauses = ["e.platform_id = $1::uuid"];
  if (accountId === undefined) clauses.push(isFirst(""));
  else {
    const account = `${place(accountId)}::uuid`;
    clauses.push(`e.account_id = ${account}`, isFirst(` and p.account_id = ${account}`));
  }
  const isFew = transactionId !== undefined;
  const hasIndex = accountId === undefined && reason !== undefined && !frequentReasons.has(reason);
  if (reason !== undefined && (isFew || hasIndex)) {
    clauses.push(`e.reason = ${place(reason)}::text`);
    if (hasIndex) clauses.push(IS_RARE);
  }
  if (transactionId !== undefined) {
    clauses.push(
      "e.command_seq = any (array(select v.command_seq from events v where v.platform_id = $1::uuid " +
        `and v.subject = ${place(transactionId)}::text limit 500))`,
    );
  }
  const [from, to] = await commandsAt(reads, query.platformId, query);
  if (from !== undefined) clauses.push(`e.command_seq >= ${place(from)}::int8`);
  if (to !== undefined) clauses.push(`e.command_seq < ${place(to)}::int8`);
  if (after !== undefined) {
    const seq = `${place(after.commandSeq)}::int8`;
    clauses.push(`e.command_seq <= ${seq}`);
    clauses.push(`(e.command_seq < ${seq} or e.posting < ${place(after.posting)}::int4)`);
  }
  // Versions of an account rise with its commands, so the index of its entries already has this order.
  const order = accountId === undefined ? "e.command_seq desc, e.line desc" : "e.version desc";
  const ordered = `from ledger_entries e where ${clauses.join(" and ")} order by ${order}`;
  if (reason !== undefined && !isFew && !hasIndex) {
    const walk = `select e.command_seq || '.' || e.posting as position, e.reason ${ordered}`;
    const fits = `w.reason = ${place(reason)}::text`;
    const { positions, ...more } = await searchPositions(reads, { walk, fits, values, limit });
    const places = positions.map((position) => position.split("."));
    return { rows: await postingsAt(reads, query.platformId, places), ...more };
  }
  const text = `select e.command_seq, e.posting ${ordered} limit ${place(limit + 1)}::int8`;
  const found = await reads.cells({ name: "", text }, values);
  const rows = await postingsAt(reads, query.platformId, found.slice(0, limit));
  return { rows, hasMore: found.length > limit };
}

/** `offset 0` forces a lookup per posting. Without it PostgreSQL scans a small table, and may keep that plan after it grew. */
const legs = {
  name: "ledger_entries/legs",
  text:
    `select ${COLUMNS} from unnest($2::int8[], $3::int4[]) k(command_seq, posting), ` +
    "lateral (select * from ledger_entries e where e.platform_id = $1::uuid " +
    "and e.command_seq = k.command_seq and e.posting = k.posting offset 0) e order by e.command_seq, e.line",
};

type Places = readonly (readonly (string | null)[])[];

/** The postings at these places, in the given order; those that do not exist are left out. */
async function postingsAt(
  reads: Reads,
  platformId: string,
  places: Places,
): Promise<readonly ListedPosting[]> {
  const commandSeqs = places.map(([seq]) => seq ?? "");
  const numbers = places.map(([, posting]) => posting ?? "");
  const rows = await reads.cells(legs, [platformId, commandSeqs, numbers]);
  const entries = await withTransactions(reads, platformId, rows);
  const found = new Map<string, ListedEntry[]>();
  for (const entry of entries) {
    const name = `${entry.commandSeq}.${entry.posting}`;
    found.set(name, [...(found.get(name) ?? []), entry]);
  }
  return places.flatMap(([seq, posting]) => {
    const ofPosting = found.get(`${seq}.${posting}`);
    if (ofPosting === undefined) return [];
    return [{ commandSeq: BigInt(seq ?? 0), posting: Number(posting), legs: ofPosting }];
  });
}

export async function findPosting(
  reads: Reads,
  platformId: string,
  place: { readonly commandSeq: bigint; readonly posting: number },
): Promise<ListedPosting | undefined> {
  const { commandSeq, posting } = place;
  const [found] = await postingsAt(reads, platformId, [[String(commandSeq), String(posting)]]);
  return found;
}
