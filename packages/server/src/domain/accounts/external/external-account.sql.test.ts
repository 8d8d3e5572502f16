import { afterAll, beforeAll, expect } from "vitest";
import { onOne } from "../../../../test/kit/on-one.ts";
import { soon } from "../../../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { openDatabase } from "../../../postgres/database.ts";
import { silentLog } from "../../../std/log.ts";
import { listExternalAccounts } from "./external-account.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const COUNT = 4_000;

let place: TestDatabase;

/** Two accounts of each customer; PostgreSQL knows nothing yet of what is in the table. */
beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query("alter table external_accounts set (autovacuum_enabled = off)");
    await client.query(
      `insert into external_accounts (platform_id, id, customer_id, status, currency, account_type, account_info,
         primary_identifier, fingerprint, default_uma_deposit_account, created_at, updated_at)
       select '${PLATFORM}', lpad(n::text, 32, '0')::uuid, lpad((n / 2)::text, 32, '0')::uuid, 'ACTIVE', 'USD', 'USD_ACCOUNT',
         '{}', '', n::text, false, now(), now()
       from generate_series(0, ${COUNT} - 1) n`,
    );
  });
});

afterAll(() => place.drop());

/** Known once the connection that read them has ended. */
async function rowsRead(): Promise<number> {
  const { rows } = await place.asSuperuser((client) =>
    client.query(
      `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables
       where relname = 'external_accounts'`,
    ),
  );
  return Number(rows[0]?.read);
}

onOne("external accounts of a customer are found without reading those of others", async () => {
  const before = await rowsRead();
  const database = openDatabase({ address: place.address, log: silentLog });
  const customerId = `${"0".repeat(8)}-0000-0000-0000-${"700".padStart(12, "0")}`;
  const found = await listExternalAccounts(database.reads, {
    platformId: PLATFORM,
    conditions: [{ sql: "t.customer_id = ?::uuid", value: customerId }],
    after: undefined,
    limit: 1,
  });
  await database.close();
  expect(found).toMatchObject({ hasMore: true, totalCount: 2, rows: [{ customerId }] });
  await soon(async () => expect(await rowsRead()).toBeGreaterThan(before));
  expect((await rowsRead()) - before).toBeLessThan(20);
});
