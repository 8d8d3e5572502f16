/** Finds payments by metadata among many. `ROWS=1000000` measures the bound of 50 ms. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { listTransactions } from "../../domain/payments/transactions/transaction.sql.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { silentLog } from "../../std/log.ts";
import { statusFacet, typeFacet } from "../../tables/facets.ts";
import type { Condition, ListQuery } from "../../tables/list-query.ts";
import { createdConditions, when, whenFacet } from "../request/filters.ts";
import { metadataConditions } from "./metadata-filter.ts";
import type { Seeker } from "./seeker.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const ROWS = Number(process.env.ROWS ?? 40_000);
/** Far above the bound of an idle machine, for a run beside others. */
const BOUND_MS = 500;
const ROUNDS = 20;

const momentOf = (n: number) => 1_735_689_600_000 + n * 1_000;
const idOf = (n: number) =>
  `${momentOf(n)
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-")}-7000-8000-000000000001`;

let place: TestDatabase;
let database: Database;

/**
 * Each payment has an order of its own, one of ten shops, one of twenty tills and the same brand. A shop has all payments of two tills, or none. Three old payments
 * have failed. Each of a thousand customers has as many payments as another.
 */
beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query(
      "create function id_at(n int) returns uuid language sql as $$ select (lpad(to_hex(1735689600000 + n * 1000::int8), 12, '0') || '70008000000000000001')::uuid $$",
    );
    await client.query(
      `insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination, metadata, created_at, updated_at)
       select '${PLATFORM}', id_at(n), 'OUTGOING', case when n <= 3 then 'FAILED' else 'COMPLETED' end, id_at(n / 10 % 1000), 'c', '{}', '{}',
         json_build_object('orderId', 'o-' || n, 'shop', 's-' || n % 10, 'till', 't-' || n % 20, 'brand', 'b'), to_timestamp(1735689600 + n), now()
       from generate_series(1, ${ROWS}) n`,
    );
    await client.query(
      `insert into metadata_terms select '${PLATFORM}', 'transactions', k, md5(t.metadata ->> k)::uuid, t.id
       from transactions t, unnest(array['orderId', 'shop', 'till', 'brand']) k where t.platform_id = '${PLATFORM}'`,
    );
    await client.query(
      `insert into metadata_settings values ('${PLATFORM}', '${PLATFORM}', '["orderId","shop","till","brand"]', null, now())`,
    );
    await client.query("vacuum analyze transactions, metadata_terms");
  });
  database = openDatabase({ address: place.address, log: silentLog });
}, 1_800_000);

afterAll(async () => {
  await database?.close();
  await place?.drop();
});

interface Search {
  readonly metadata: Readonly<Record<string, string>>;
  readonly conditions?: readonly (Condition | undefined)[];
  readonly after?: string;
}

/** The page, and the times of twenty rounds in order. */
async function measured(name: string, searchOf: (round: number) => Search) {
  const { reads } = database;
  const seeker: Seeker = { reads, platformId: PLATFORM, withPersonal: true, allowed: [] };
  const times: number[] = [];
  const counts = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const { metadata, conditions = [], after } = searchOf(round);
    const started = performance.now();
    const found = await metadataConditions(seeker, "transactions", metadata);
    const wish: ListQuery = {
      platformId: PLATFORM,
      conditions: [...found, ...conditions],
      after,
      limit: 20,
    };
    const page = await listTransactions(reads, wish);
    times.push(performance.now() - started);
    counts.add(
      `${page.rows.length} of ${page.totalCount ?? "many"}${page.hasMore ? ", more" : ""}`,
    );
  }
  times.sort((left, right) => left - right);
  const [median = 0, p95 = 0] = [times[ROUNDS / 2], times[ROUNDS - 2]];
  const line = `${name}: ${[...counts].join("; ")}: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`;
  process.stderr.write(line);
  expect(p95).toBeLessThan(BOUND_MS);
  return [...counts];
}

const someOf = (round: number) => 1 + ((round * 7919) % ROWS);
const shop = (round: number) => ({ shop: `s-${round % 10}` });
const FULL = ["20 of many, more"];

describe("a page of payments by metadata comes within the bound", () => {
  it("by the value of one payment, or of none", async () => {
    const own = (round: number) => ({ metadata: { orderId: `o-${someOf(round)}` } });
    expect(await measured("one payment", own)).toEqual(["1 of 1"]);
    const none = await measured("none", (n) => ({ metadata: { orderId: `x-${n}` } }));
    expect(none).toEqual(["0 of 0"]);
    const both = await measured("one payment and a tenth of all", (round) => ({
      metadata: { orderId: `o-${someOf(round)}`, shop: `s-${someOf(round) % 10}` },
    }));
    expect(both).toEqual(["1 of 1"]);
  });

  it("by a value that many payments have, or all, and two of those", async () => {
    expect(await measured("a tenth", (n) => ({ metadata: shop(n) }))).toEqual(FULL);
    expect(await measured("all", () => ({ metadata: { brand: "b" } }))).toEqual(FULL);
    const two = await measured("a tenth and a twentieth", (n) => ({
      metadata: { ...shop(n), till: `t-${n % 20}` },
    }));
    expect(two).toEqual(FULL);
    const apart = await measured("a tenth and a twentieth that none has both of", (n) => ({
      metadata: { ...shop(n), till: `t-${(n + 1) % 20}` },
    }));
    expect(apart).toEqual([ROWS > 200_000 ? "0 of many, more" : "0 of 0"]);
  });

  it("on a page in the middle and on one at the end", async () => {
    const middle = idOf(Math.floor(ROWS / 2));
    const half = await measured("a tenth, the middle", (n) => ({
      metadata: shop(n),
      after: middle,
    }));
    expect(half).toEqual(FULL);
    const end = idOf(100);
    const last = await measured("a tenth, the end", (n) => ({ metadata: shop(n), after: end }));
    expect(last).toEqual(["9 of many", "10 of many"].filter((text) => last.includes(text)));
  });

  it("with a customer, a time, a status that all have, and one that three have", async () => {
    const customerId = idOf(17);
    const ofCustomer = await measured("a tenth, of a customer", (n) => ({
      metadata: shop(n),
      conditions: [when(customerId, "t.customer_id = ?::uuid")],
    }));
    expect(ofCustomer).toEqual(ROWS > 200_000 ? FULL : ["4 of 4"]);
    const until = new Date(momentOf(2_000)).toISOString();
    const early = await measured("a tenth, early", (n) => ({
      metadata: shop(n),
      conditions: createdConditions(undefined, until),
    }));
    expect(early).toEqual(FULL);
    const completed = await measured("a tenth, completed", (n) => ({
      metadata: shop(n),
      conditions: [whenFacet("COMPLETED", statusFacet), whenFacet("OUTGOING", typeFacet)],
    }));
    expect(completed).toEqual(FULL);
    const failed = await measured("all, failed", () => ({
      metadata: { brand: "b" },
      conditions: [whenFacet("FAILED", statusFacet)],
    }));
    expect(failed).toEqual(["0 of many, more"]);
  });
});
