/** Finds payments by metadata among many. `ROWS=1000000` measures the bound of 50 ms. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { listTransactions } from "../../domain/payments/transactions/transaction.sql.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { silentLog } from "../../std/log.ts";
import { metadataConditions } from "./metadata-filter.ts";
import type { Seeker } from "./seeker.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const ROWS = Number(process.env.ROWS ?? 20_000);
/** Far above the bound of an idle machine, for a run beside others. */
const BOUND_MS = 500;

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query(
      "create function id_at(n int) returns uuid language sql as $$ select (lpad(to_hex(1735689600000 + n * 1000::int8), 12, '0') || '70008000000000000001')::uuid $$",
    );
    await client.query(
      `insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination, metadata, created_at, updated_at)
       select '${PLATFORM}', id_at(n), 'OUTGOING', 'COMPLETED', id_at(n % 1000), 'c', '{}', '{}',
         json_build_object('orderId', 'o-' || n, 'shop', 's-' || n % 10), to_timestamp(1735689600 + n), now()
       from generate_series(1, ${ROWS}) n`,
    );
    await client.query(
      `insert into metadata_terms select '${PLATFORM}', 'transactions', k, md5(t.metadata ->> k)::uuid, t.id
       from transactions t, unnest(array['orderId', 'shop']) k where t.platform_id = '${PLATFORM}'`,
    );
    await client.query(
      `insert into metadata_settings values ('${PLATFORM}', '${PLATFORM}', '["orderId","shop"]', null, now())`,
    );
    await client.query("analyze transactions, metadata_terms");
  });
  database = openDatabase({ address: place.address, log: silentLog });
}, 600_000);

afterAll(async () => {
  await database?.close();
  await place?.drop();
});

it("finds a payment by its own value, by one of many, and by both, within the bound", async () => {
  const { reads } = database;
  const seeker: Seeker = { reads, platformId: PLATFORM, withPersonal: true, allowed: [] };
  const timesOf = async (metadataOf: (n: number) => Record<string, string>, expected: number) => {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const started = performance.now();
      const n = 1 + ((round * 7919) % ROWS);
      const conditions = await metadataConditions(seeker, "transactions", metadataOf(n));
      const wish = { platformId: PLATFORM, conditions, after: undefined, limit: 20 };
      expect((await listTransactions(reads, wish)).rows).toHaveLength(expected);
      times.push(performance.now() - started);
    }
    return times.toSorted((left, right) => left - right);
  };
  const found = {
    rare: await timesOf((n) => ({ orderId: `o-${n}` }), 1),
    none: await timesOf((n) => ({ orderId: `x-${n}` }), 0),
    both: await timesOf((n) => ({ orderId: `o-${n}`, shop: `s-${n % 10}` }), 1),
    frequent: await timesOf((n) => ({ shop: `s-${n % 10}` }), 20),
  };
  for (const [name, times] of Object.entries(found)) {
    const [median, p95] = [times[10] ?? 0, times[18] ?? 0];
    process.stderr.write(`${name}: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`);
    if (name !== "frequent") expect(p95).toBeLessThan(BOUND_MS);
  }
}, 600_000);
