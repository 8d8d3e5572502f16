import { afterAll, beforeAll, expect, it } from "vitest";
import { soon } from "../../../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { listTransactions } from "../../../domain/payments/transactions/transaction.sql.ts";
import { idKinds } from "../../../domain/reading/search/find-id.sql.ts";
import { openDatabase } from "../../../postgres/database.ts";
import { lowestIdAt } from "../../../std/ids.ts";
import { silentLog } from "../../../std/log.ts";
import { conditionsOf } from "./transactions.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const COUNT = 4_000;
/** Transfers of the customer of payment 50, between his first payment and the last of all. */
const TRANSFERS = 1_000;
const FIRST_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;

let place: TestDatabase;

beforeAll(async () => {
  place = await createTestDatabase();
  await fill();
});

afterAll(() => place.drop());

/**
 * A payment a minute. Each has a customer of its own, who sends every other one to an address and is paid the rest by one; one
 * customer has transfers as well. PostgreSQL knows nothing yet of what is in the tables.
 */
async function fill(): Promise<void> {
  await place.asSuperuser(async (client) => {
    await client.query("alter table customers set (autovacuum_enabled = off)");
    await client.query("alter table transactions set (autovacuum_enabled = off)");
    await client.query(
      "create function id_at(n int, place text) returns uuid language sql as $$ select (lpad(to_hex(" +
        `${FIRST_MS}::int8 + n * ${MINUTE_MS}::int8), 12, '0') || '70008000' || lpad(place, 12, '0'))::uuid $$`,
    );
    await client.query(
      `insert into customers (platform_id, id, platform_customer_id, customer_type, uma_address, currencies, profile,
         infers_currencies, former_uma_addresses, kyc_status, created_at, updated_at, deleted_at)
       select '${PLATFORM}', id_at(n, '1'), 'c-' || n % ${COUNT / 2}, 'INDIVIDUAL', '$c' || n || '@here.test', '[]', '{}',
         false, '[]', 'APPROVED', now(), now(), case when n >= ${COUNT / 2} then now() end
       from generate_series(0, ${COUNT} - 1) n`,
    );
    await client.query(
      `insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination,
         source_account_id, destination_account_id, quote_id, created_at, updated_at)
       select '${PLATFORM}', id_at(n, '2'), case n % 2 when 0 then 'OUTGOING' else 'INCOMING' end, 'COMPLETED', id_at(n, '1'),
         'c-' || n % ${COUNT / 2},
         case when n % 2 = 0 then '{}' when n % 200 = 1 then '{"umaAddress":"$often@there.test"}'
           else '{"umaAddress":"$p' || n || '@there.test"}' end::json,
         ('{"umaAddress":"$' || case n % 2 when 0 then 'p' || n || '@there.test' else 'c' || n || '@here.test' end || '"}')::json,
         id_at(n, '3'), id_at(n, '4'), case n % 2 when 0 then id_at(n, '5') end,
         to_timestamp(${FIRST_MS / 1_000} + n * 60), now()
       from generate_series(0, ${COUNT} - 1) n`,
    );
    await client.query(
      `insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination,
         created_at, updated_at)
       select '${PLATFORM}', id_at(n, '6'), 'OUTGOING', 'COMPLETED', id_at(50, '1'), 'c-50', '{}', '{}',
         to_timestamp(${FIRST_MS / 1_000} + n * 60), now()
       from generate_series(1000, 999 + ${TRANSFERS}) n`,
    );
  });
}

/** Known once the connection that read them has ended. */
async function rowsRead(): Promise<{ readonly reads: number; readonly scans: number }> {
  const { rows } = await place.asSuperuser((client) =>
    client.query(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as reads, sum(seq_scan + idx_scan) as scans
       from pg_stat_user_tables where relname in ('transactions', 'customers')`,
    ),
  );
  return { reads: Number(rows[0]?.reads), scans: Number(rows[0]?.scans) };
}

const account = (n: number, kind: string, at: string) =>
  `${kind}:${lowestIdAt(FIRST_MS + n * MINUTE_MS).slice(0, 14)}7000-8000-${at.padStart(12, "0")}`;
const time = (n: number) => new Date(FIRST_MS + n * MINUTE_MS).toISOString();

type Query = Omit<Parameters<typeof conditionsOf>[1], "limit">;

const queries: readonly (readonly [string, Query, readonly number[]])[] = [
  ["a time from", { startDate: time(COUNT - 2) }, [COUNT - 1, COUNT - 2]],
  ["a time until", { endDate: time(1) }, [1, 0]],
  ["a stretch of time", { startDate: time(700), endDate: time(702) }, [702, 701, 700]],
  ["an account", { accountIdentifier: account(50, "InternalAccount", "3") }, [50]],
  ["a sender's address", { senderAccountIdentifier: "$p51@there.test" }, [51]],
  ["a customer's address that sends", { senderAccountIdentifier: "$c50@here.test" }, [50]],
  ["a receiver's address", { receiverAccountIdentifier: "$p50@there.test" }, [50]],
  ["a customer's address that is paid", { receiverAccountIdentifier: "$c51@here.test" }, [51]],
  ["an address on either side", { accountIdentifier: "$c50@here.test" }, [50]],
  ["an address of nobody", { accountIdentifier: "$x@here.test" }, []],
  [
    "a platform's own id of a customer, live and deleted",
    { platformCustomerId: "c-7" },
    [COUNT / 2 + 7, 7],
  ],
  [
    "an address and a platform's own id",
    { platformCustomerId: "c-7", accountIdentifier: "$c7@here.test" },
    [7],
  ],
  [
    "an address on either side and the same as the sender's",
    { accountIdentifier: "$c50@here.test", senderAccountIdentifier: "$c50@here.test" },
    [50],
  ],
  [
    "an address on either side and another as the receiver's",
    { accountIdentifier: "$c50@here.test", receiverAccountIdentifier: "$p50@there.test" },
    [50],
  ],
];

/** What a page of one finds, and how many rows were read for it. */
async function ask(filters: Query, platformId = PLATFORM) {
  const before = await rowsRead();
  const database = openDatabase({ address: place.address, log: silentLog });
  const found = await listTransactions(database.reads, {
    platformId,
    conditions: await conditionsOf(
      { reads: database.reads, platformId, withPersonal: true, allowed: idKinds },
      filters,
    ),
    after: undefined,
    limit: 1,
  });
  await database.close();
  await soon(async () => expect((await rowsRead()).scans).toBeGreaterThan(before.scans));
  return { ...found, reads: (await rowsRead()).reads - before.reads };
}

it.each(queries)("transactions are found by %s without reading the others", async (...query) => {
  const [, filters, expected] = query;
  const found = await ask(filters);
  const created = expected.map((n) => FIRST_MS + n * MINUTE_MS);
  expect(found.rows.map(({ createdAt }) => createdAt)).toEqual(created.slice(0, 1));
  expect(found.totalCount).toBe(expected.length);
  expect(found.reads).toBeLessThan(200);
});

it("a name that is also used by another platform's customer finds the platform's own", async () => {
  const added = await place.asSuperuser((client) =>
    client.query(
      `insert into customers (platform_id, id, platform_customer_id, customer_type, uma_address, currencies, profile,
         infers_currencies, former_uma_addresses, kyc_status, created_at, updated_at)
       select gen_random_uuid(), id_at(7, '8'), 'c-7', 'INDIVIDUAL', '$c7@over.test', '[]', '{}',
         false, '[]', 'APPROVED', now(), now()`,
    ),
  );
  expect(added.rowCount).toBe(1);
  expect((await ask({ platformCustomerId: "c-7" })).totalCount).toBe(2);
});

it("payments of deleted customers are found by a name that no customer has any more", async () => {
  await place.asSuperuser((client) =>
    client.query("update customers set deleted_at = now() where id = id_at(9, '1')"),
  );
  const found = await ask({ platformCustomerId: "c-9" });
  expect(found.rows.map(({ createdAt }) => createdAt)).toEqual([
    FIRST_MS + (COUNT / 2 + 9) * MINUTE_MS,
  ]);
  expect(found.totalCount).toBe(2);
  expect(found.reads).toBeLessThan(200);
});

it("what a customer with many was paid by few is found by the few, once PostgreSQL knows of the many", async () => {
  await place.asSuperuser((client) => client.query("analyze"));
  const found = await ask({ platformCustomerId: "c-50", accountIdentifier: "$often@there.test" });
  expect(found.totalCount).toBe(0);
  expect(found.reads).toBeLessThan(200);
});

it("a platform's own are found without reading its customers', though PostgreSQL takes them for all", async () => {
  const own = "018f0000-0000-7000-8000-00000000000b";
  const add = (from: number, count: number, customerId: string) =>
    place.asSuperuser((client) =>
      client.query(
        `insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination,
           created_at, updated_at)
         select '${own}', id_at(n, '7'), 'OUTGOING', 'COMPLETED', ${customerId}, 'c', '{}', '{}', now(), now()
         from generate_series(${from}, ${from + count - 1}) n`,
      ),
    );
  await place.asSuperuser((client) => client.query("truncate transactions"));
  await add(0, 1, "null");
  await place.asSuperuser((client) => client.query("analyze transactions"));
  await add(1, COUNT, "id_at(50, '1')");
  const found = await ask({ customerId: `PlatformConfig:${own}`, status: "COMPLETED" }, own);
  expect(found.rows.map(({ id }) => id)).toEqual([account(0, "", "7").slice(1)]);
  expect(found.totalCount).toBe(1);
  expect(found.reads).toBeLessThan(200);
});
