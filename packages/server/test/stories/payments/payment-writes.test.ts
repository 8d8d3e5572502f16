/**
 * What a payment writes, counted in the WAL of its own database: rows, index entries and bytes of each table. A change that adds one fails
 * here until its number is changed, and its commit says why it is worth that.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { isDistributed } from "../../kit/test-database.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const PAYMENTS = 20;

/**
 * Of a payment out of an account that completes at once: two commits. More payments a commit share the updates. New rows are counted by
 * the entries of their primary keys, because one record of the WAL holds several rows.
 */
const BUDGET = {
  command_log_pkey: 2,
  command_log_idempotency: 1,
  events_pkey: 4,
  events_subject: 4,
  "jobs: deleted": 1,
  jobs_pkey: 1,
  jobs_run_at: 1,
  "ledger_accounts: updated": 5,
  ledger_entries_pkey: 4,
  ledger_entries_account: 4,
  "list_totals: updated": 3,
  "platform_heads: updated": 2,
  "transactions: updated": 1,
  transactions_pkey: 1,
  transactions_customer: 1,
  transactions_destination: 1,
  transactions_source: 1,
};
const MOST_BYTES = 11_700;

/** What is kept up to date beside the commits, for many payments at a time. */
const BESIDE =
  /^(search_|overview_|payment_(hours|days)|request_log|row_changes|webhook_|api_tokens)/;

let server: TestServer;
let story: Story;

beforeAll(async () => {
  server = await startTestServer({ jobsOnce: true });
  await server.database.asSuperuser((client) => client.query("create extension pg_walinspect"));
  story = await openStory(server);
});
afterAll(() => server.close());

async function flushedTo(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select pg_current_wal_insert_lsn() as lsn");
  const { lsn } = rows[0] as { lsn: string };
  await expect
    .poll(async () => {
      const flushed = await client.query("select pg_current_wal_flush_lsn() >= $1::pg_lsn as is", [
        lsn,
      ]);
      return (flushed.rows[0] as { is: boolean }).is;
    })
    .toBe(true);
  return lsn;
}

/** Rows and entries, and the bytes of their records without images of whole pages, which depend on the last checkpoint. */
const WRITTEN = `
  select coalesce(t.relname, o.relname, c.relname) as "table", coalesce(case when t.oid is not null then c.relname end, o.relname || ' toast', '') as "index",
    case when b.record_type like 'INSERT_LEAF%' then 'entries' when b.record_type like '%UPDATE%' then 'updated'
      when b.record_type like 'DELETE%' then 'deleted' when b.record_type like '%INSERT%' then 'inserted' else 'other' end as what,
    count(*)::int as count, sum(b.record_length - b.block_fpi_length)::int as bytes
  from pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn) b
  join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
  left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
  left join pg_class o on o.reltoastrelid = c.oid
  where b.reldatabase = (select oid from pg_database where datname = current_database())
    and b.relforknumber = 0 and c.relnamespace <> 'pg_catalog'::regnamespace
  group by 1, 2, 3 order by 1, 2, 3`;

interface Written {
  readonly table: string;
  readonly index: string;
  readonly what: string;
  readonly count: number;
  readonly bytes: number;
}

async function writtenBy(work: () => Promise<void>): Promise<readonly Written[]> {
  return server.database.asSuperuser(async (client) => {
    // Checkpoints, which other files cause, would remove the WAL before it is read.
    await client.query("select pg_create_physical_replication_slot('payment_writes', true, true)");
    const from = await flushedTo(client);
    await work();
    const { rows } = await client.query(WRITTEN, [from, await flushedTo(client)]);
    return (rows as readonly Written[]).filter(({ table }) => !BESIDE.test(table));
  });
}

it.skipIf(isDistributed())("writes what its budget allows", async () => {
  const { customerId, accountId } = await fundedCustomer(story, 1_000_000);
  const destination = await bankAccount(story, { customerId, suffix: "789" });
  const pay = async () => {
    const body = { source: { accountId }, destination: { accountId: destination }, amount: 1_000 };
    const { status } = await story.call("POST", "/transfer-out", body, { key: randomUUID() });
    expect(status).toBe(201);
    await story.settle();
  };
  await pay();
  const written = await writtenBy(async () => {
    for (let count = 0; count < PAYMENTS; count++) await pay();
  });
  const counts = written.flatMap(({ table, index, what, count }) =>
    what === "other" || what === "inserted" || index.startsWith("pg_toast")
      ? []
      : [[index === "" ? `${table}: ${what}` : index, count / PAYMENTS] as const],
  );
  expect(Object.fromEntries(counts)).toEqual(BUDGET);
  const bytes = written.reduce((sum, { bytes }) => sum + bytes, 0) / PAYMENTS;
  expect(bytes).toBeLessThan(MOST_BYTES);
});
