import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onOne } from "../../test/kit/on-one.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import { ledgerAccounts } from "../ledger/chart.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { randomIds } from "../std/ids.ts";
import { silentLog } from "../std/log.ts";
import { fittingRows } from "./fitting-rows.ts";
import { type ListQuery, listPage, tableSource } from "./list-query.ts";

const A = "018f0000-0000-7000-8000-00000000000a";
const B = "018f0000-0000-7000-8000-00000000000b";
const ids = randomIds();
const source = tableSource(ledgerAccounts);

let place: TestDatabase;
let database: Database;
const made: string[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  for (let index = 0; index < 7; index++) {
    made.push(await addAccount(A, index % 2 === 0 ? "USD" : "EUR"));
    await addAccount(B, "USD");
  }
});

afterAll(async () => {
  await database.close();
  await place.drop();
});

async function addAccount(platformId: string, currency: string): Promise<string> {
  const id = ids.next(1_700_000_000_000);
  await place.asSuperuser((client) =>
    client.query(
      "insert into ledger_accounts values ($1, $2, 'internal', $3, true, 5, 0, 0, '2025-01-01T00:00:00.123Z')",
      [platformId, id, currency],
    ),
  );
  return id;
}

async function page(query: Partial<ListQuery>) {
  const found = await listPage(database.reads, source, {
    platformId: A,
    conditions: [],
    after: undefined,
    limit: 3,
    ...query,
  });
  return { ...found, rows: found.rows.map(({ id }) => id) };
}

describe("the rows that fit a page", () => {
  const rows = [["aaaa", null], ["bb"], ["c", "c"], ["d"]];
  const fitting = (limit: number, maxChars: number) =>
    fittingRows(rows, { limit, maxChars }).length;

  it("are as many as requested while they are short", () => {
    expect([fitting(1, 100), fitting(3, 100), fitting(4, 100), fitting(9, 100)]).toEqual([
      1, 3, 4, 4,
    ]);
  });

  it("end before the text becomes too long", () => {
    expect([fitting(9, 9), fitting(9, 8), fitting(9, 7), fitting(9, 6), fitting(9, 5)]).toEqual([
      4, 3, 2, 2, 1,
    ]);
  });

  it("are at least one", () => {
    expect(fitting(9, 1)).toBe(1);
    expect(fittingRows([], { limit: 9, maxChars: 1 })).toEqual([]);
  });
});

const newest = () => made.toReversed();

it("lists newest first, with the total", async () => {
  expect(await page({})).toEqual({ rows: newest().slice(0, 3), hasMore: true, totalCount: 7 });
});

it("lists oldest first on request", async () => {
  expect((await page({ order: "asc" })).rows).toEqual(made.slice(0, 3));
  expect((await page({ order: "asc", after: made[2] })).rows).toEqual(made.slice(3, 6));
});

it.each([1, 2, 3, 6, 7, 8])("walks all rows once, %i at a time", async (limit) => {
  const walked: string[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const found = await page({ limit, after });
    expect(found.totalCount).toBe(7);
    walked.push(...found.rows);
    after = found.rows.at(-1);
    more = found.hasMore;
  }
  expect(walked).toEqual(newest());
});

it("has no more when the last page is exactly full", async () => {
  expect(await page({ limit: 7 })).toMatchObject({ hasMore: false, totalCount: 7 });
});

it("lists rows of the platform only", async () => {
  const found = await page({ platformId: B, limit: 100 });
  expect(found.rows).toHaveLength(7);
  expect(found.rows.some((id) => made.includes(id))).toBe(false);
});

it("applies each condition to the rows and the total", async () => {
  const currency = { sql: "t.currency = ?", value: "EUR" };
  expect(await page({ conditions: [currency], limit: 2 })).toMatchObject({
    hasMore: true,
    totalCount: 3,
  });
  const ranges = [
    undefined,
    currency,
    { sql: "t.guarded" },
    { sql: "(t.id = ?::uuid or t.id = ?::uuid)", value: made[1] ?? "" },
  ];
  expect(await page({ conditions: ranges })).toEqual({
    rows: [made[1]],
    hasMore: false,
    totalCount: 1,
  });
});

it("queries alternatives separately, and lists a row once that matches several", async () => {
  const [first = "", , third = ""] = made;
  const either = { sql: ["t.currency = ?", "t.guarded and t.currency = ?"], value: "EUR" };
  const ends = { sql: ["t.id <= ?::uuid", "t.currency = 'USD'"], value: made[1] ?? "" };
  const euros = [made[5], made[3], made[1]];
  expect(await page({ conditions: [either], limit: 2 })).toEqual({
    rows: euros.slice(0, 2),
    hasMore: true,
    totalCount: 3,
  });
  expect(await page({ conditions: [either], limit: 2, after: made[3] })).toEqual({
    rows: [made[1]],
    hasMore: false,
    totalCount: 3,
  });
  expect(await page({ conditions: [ends, either], order: "asc" })).toMatchObject({
    rows: [made[1]],
    totalCount: 1,
  });
  const rest = await page({ conditions: [ends], order: "asc", limit: 2, after: first });
  expect(rest).toEqual({ rows: [made[1], third], hasMore: true, totalCount: 5 });
});

it("lists the rows of each id of an alternative, once and in order", async () => {
  const [one = "", two = "", , four = "", , six = ""] = made;
  const named = {
    sql: ["t.id = (?::uuid[])[1]", { column: "t.id", ids: "(?::uuid[])[2:]" }],
    value: [one, six, two, four, one, B],
  };
  const found = { rows: [six, four, two], hasMore: true, totalCount: 4 };
  expect(await page({ conditions: [named] })).toEqual(found);
  const rest = { rows: [one], hasMore: false, totalCount: 4 };
  expect(await page({ conditions: [named], after: two })).toEqual(rest);
  const euros = { sql: "t.currency = ?", value: "EUR" };
  expect(await page({ conditions: [euros, named], order: "asc" })).toMatchObject({
    rows: [two, four, six],
  });
  // Behind other alternatives it is a condition like any.
  const either = { sql: ["t.currency = 'USD'", "t.id = ?::uuid"], value: two };
  expect(await page({ conditions: [either, named], limit: 9 })).toMatchObject({
    rows: [two, one],
    totalCount: 2,
  });
  const none = { ...named, value: [B] };
  expect(await page({ conditions: [none] })).toMatchObject({ rows: [], totalCount: 0 });
});

it("pages by id through rows with a null column", async () => {
  const C = "018f0000-0000-7000-8000-00000000000d";
  const mine = [...Array(3)].map(() => ids.next(1_700_000_000_000));
  await place.asSuperuser((client) =>
    client.query(
      `insert into internal_accounts (platform_id, id, customer_id, type, status, currency, is_simulated, created_at)
       select '${C}', id, case when id = '${mine[1]}' then id end, 'INTERNAL_FIAT', 'ACTIVE', 'USD', true, now()
       from unnest($1::uuid[]) id`,
      [[...mine, ids.next(1_700_000_000_000)]],
    ),
  );
  const accounts = tableSource(internalAccounts);
  const owners = [{ sql: "t.customer_id is null", nullColumn: "t.customer_id" }];
  for (const order of ["asc", "desc"] as const) {
    const query = { platformId: C, conditions: owners, order, limit: 2 };
    const first = await listPage(database.reads, accounts, { ...query, after: undefined });
    const after = first.rows.at(-1)?.id;
    const second = await listPage(database.reads, accounts, { ...query, after });
    expect([first.hasMore, second.hasMore, second.totalCount]).toEqual([true, false, 3]);
    const found = [...first.rows, ...second.rows].map(({ id }) => id);
    expect(found).toEqual(order === "asc" ? found.toSorted() : found.toSorted().toReversed());
    expect(found).not.toContain(mine[1]);
  }
});

it("counts without joins that add no rows", async () => {
  const joined = {
    ...source,
    from: `${source.from} join ledger_accounts l on l.platform_id = t.platform_id and l.id = t.id`,
    countFrom: source.from,
  };
  const query = { platformId: A, conditions: [], after: undefined, limit: 1 };
  expect(await listPage(database.reads, joined, query)).toMatchObject({ totalCount: 7 });
  expect(
    await listPage(database.reads, { ...joined, countFrom: "platforms t" }, query),
  ).toMatchObject({
    hasMore: true,
    totalCount: 0,
  });
});

it("gives an empty page when nothing matches", async () => {
  const conditions = [{ sql: "t.currency = ?", value: "XXX" }];
  expect(await page({ conditions })).toEqual({ rows: [], hasMore: false, totalCount: 0 });
});

it("repeats no row and skips no old row when rows are added between two pages", async () => {
  const first = await page({ platformId: B });
  await addAccount(B, "USD");
  const second = await page({ platformId: B, after: first.rows.at(-1), limit: 100 });
  expect(new Set([...first.rows, ...second.rows]).size).toBe(7);
  expect(second.totalCount).toBe(8);
});

it("passes every value as a parameter", async () => {
  const conditions = [{ sql: "t.currency = ?", value: "' or 1 = 1 -- ? $1" }];
  expect((await page({ conditions })).totalCount).toBe(0);
});

it("reads whole rows, times in milliseconds and money in bigints", async () => {
  const { rows } = await listPage(database.reads, source, {
    platformId: A,
    conditions: [],
    after: undefined,
    limit: 1,
  });
  expect(rows[0]).toMatchObject({
    currency: "USD",
    guarded: true,
    balanceMinor: 5n,
    updatedAt: Date.UTC(2025, 0, 1, 0, 0, 0, 123),
  });
});

onOne("is planned for its platform, also after many executions", async () => {
  const C = "018f0000-0000-7000-8000-00000000000c";
  const held = openDatabase({
    address: place.address,
    log: silentLog,
    limits: { readConnections: 1 },
  });
  await place.asSuperuser(async (client) => {
    await client.query(
      `insert into ledger_accounts select '${C}', gen_random_uuid(), 'internal', 'USD', true, 5, 0, 0, now()
       from generate_series(1, 20000)`,
    );
    await client.query(
      "insert into ledger_accounts select gen_random_uuid(), gen_random_uuid(), 'internal', 'USD', true, 5, 0, 0, now() " +
        "from generate_series(1, 500)",
    );
    await client.query("analyze ledger_accounts");
  });
  const conditions = [{ sql: "t.currency = ?", value: "USD" }];
  for (let count = 0; count < 8; count++) {
    await listPage(held.reads, source, { platformId: C, conditions, after: undefined, limit: 1 });
  }
  await held.close();
  const scans = () =>
    place.asSuperuser((client) =>
      client.query("select seq_scan from pg_stat_user_tables where relname = 'ledger_accounts'"),
    );
  await soon(async () =>
    expect(Number((await scans()).rows[0]?.seq_scan)).toBeGreaterThanOrEqual(8),
  );
});

describe("a list whose rows are counted by kind", () => {
  const C = "018f0000-0000-7000-8000-00000000000c";
  const accounts = tableSource(internalAccounts);
  const inUsd = {
    sql: "t.currency = ?",
    value: "USD",
    totalsFilter: { facet: { name: "currency", value: "USD" } },
  };
  const query = { platformId: C, conditions: [inUsd], after: undefined, limit: 2 };

  beforeAll(() =>
    place.asSuperuser(async (client) => {
      await client.query(
        `insert into internal_accounts (platform_id, id, type, status, currency, is_simulated, created_at)
         select '${C}', id, 'INTERNAL_FIAT', 'ACTIVE', 'USD', true, now() from unnest($1::uuid[]) id`,
        [[...Array(5)].map(() => ids.next(1_700_000_000_000))],
      );
      // Wrong totals on purpose: they show that the total was read and not counted.
      await client.query(
        "insert into list_totals select $1, 'internal_accounts', 20000, x.* from (values " +
          "('platform USD INTERNAL_FIAT', 30), ('customer USD INTERNAL_FIAT', 4), " +
          "('platform EUR INTERNAL_FIAT', 500), ('platform XUSD USD', 6000), ('platform BRL INTERNAL_FIAT', 1)) x",
        [C],
      );
    }),
  );

  const totalWith = async (conditions: ListQuery["conditions"]) => {
    const { totalCount } = await listPage(database.reads, accounts, {
      ...query,
      conditions: [inUsd, ...conditions],
    });
    return totalCount;
  };

  it("has the stored total", async () => {
    const found = await listPage(database.reads, accounts, query);
    expect(found).toMatchObject({ hasMore: true, totalCount: 34 });
    expect(found.rows).toHaveLength(2);
    const owned = {
      sql: "t.customer_id is null",
      totalsFilter: { facet: { name: "owner", value: "platform" } },
    };
    expect(await totalWith([owned, undefined])).toBe(30);
  });

  it("is counted when another condition filters it, and for another platform", async () => {
    expect(await totalWith([{ sql: "t.status = ?", value: "ACTIVE" }])).toBe(5);
    const either = { ...inUsd, sql: ["t.currency = ?", "t.type = ?"] };
    expect(await totalWith([either])).toBe(5);
  });

  it("is not searched for more rows than the total", async () => {
    const inReais = {
      ...inUsd,
      sql: "? <> ''",
      totalsFilter: { facet: { name: "currency", value: "BRL" } },
    };
    const found = await listPage(database.reads, accounts, { ...query, conditions: [inReais] });
    expect(found).toMatchObject({ hasMore: false, totalCount: 1 });
    const none = await listPage(database.reads, accounts, { ...query, platformId: A });
    expect(none).toEqual({ rows: [], hasMore: false, totalCount: 0 });
  });
});
