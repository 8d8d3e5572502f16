/** Lists along an index of ids: what a page has, what it reads, and that the pages of any search together have all rows that meet it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countedReads } from "../../test/kit/sql/rows-read.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import type { Reads } from "../postgres/database.ts";
import { present } from "../std/assert.ts";
import {
  type Condition,
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "./list-query.ts";
import { searchRows } from "./list-search.ts";
import { MOST_SEARCHED } from "./search.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const COUNT = MOST_SEARCHED + 5_000;
/** Each id of a walk is looked up. */
const MOST_WALKED = MOST_SEARCHED / 4;
const source = tableSource(internalAccounts);

const idOf = (kind: string, n: number) =>
  `018f0000-0000-7000-8000-${kind}${n.toString(16).padStart(11, "0")}`;
const account = (n: number) => idOf("a", n);
const owner = (n: number) => idOf("c", n);

/** The values that account `n` has. A hundredth of the rows of "stale" are those of accounts with another value. */
const VALUES = {
  all: () => true,
  half: (n: number) => n % 2 === 0,
  few: (n: number) => n % 50 === 0,
  stale: (n: number) => n % 50 === 0,
  none: () => false,
};
type Value = keyof typeof VALUES;

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query(
      "insert into internal_accounts (platform_id, id, customer_id, type, status, currency, is_simulated, created_at, metadata) " +
        "select $1, ('018f0000-0000-7000-8000-a' || lpad(to_hex(n), 11, '0'))::uuid, " +
        "('018f0000-0000-7000-8000-c' || lpad(to_hex(n / 10 % 250), 11, '0'))::uuid, 'INTERNAL_FIAT', 'ACTIVE', " +
        "case when n <= 3 then 'GBP' when n % 100 = 0 then 'EUR' else 'USD' end, true, now(), " +
        "json_build_object('all', 'x', 'half', case when n % 2 = 0 then 'x' end, 'few', case when n % 50 = 0 then 'x' end, " +
        "'stale', case when n % 50 = 0 then 'x' else 'y' end) from generate_series(1, $2::int8) n",
      [PLATFORM, COUNT],
    );
    await client.query(
      "insert into metadata_terms select $1, 'internal_accounts', k, md5('x')::uuid, t.id from internal_accounts t, " +
        "unnest(array['all', 'half', 'few', 'stale']) k where t.platform_id = $1 and (t.metadata ->> k = 'x' or k = 'stale' and right(t.id::text, 1) = '1')",
      [PLATFORM],
    );
    await client.query("vacuum analyze internal_accounts, metadata_terms");
  });
});
afterAll(() => place.drop());

function having(value: Value, isShort = false): Condition {
  const sql =
    "from metadata_terms t where t.platform_id = $1::uuid and t.list = 'internal_accounts' and t.key = ? and t.digest = md5('x')::uuid";
  const judged = { sql: "t.metadata ->> ? = 'x'", value, isUnordered: true };
  return { ...judged, walk: { sql, isShort } };
}

interface Counted extends Omit<ListPage<unknown>, "rows"> {
  readonly ids: readonly string[];
  readonly read: number;
}

async function list(query: Partial<ListQuery>, fits?: readonly Condition[]): Promise<Counted> {
  return place.asSuperuser(async (client) => {
    const { reads, during } = await countedReads(client);
    const wish = { platformId: PLATFORM, conditions: [], after: undefined, limit: 5, ...query };
    const pages: ListPage<{ readonly id: string }>[] = [];
    const read = await during(async () => {
      pages.push(await pageOf(reads, wish, fits));
    });
    const { rows, ...more } = present(pages[0], "the page");
    return { ...more, ids: rows.map(({ id }) => id), read };
  });
}

const pageOf = (reads: Reads, wish: ListQuery, fits: readonly Condition[] | undefined) =>
  fits === undefined ? listPage(reads, source, wish) : searchRows(reads, source, { ...wish, fits });

const GBP: Condition = { sql: "t.currency = ?", value: "GBP", isUnordered: true };
const ofOwner = (n: number): Condition => ({ sql: "t.customer_id = ?::uuid", value: owner(n) });

describe("a walk of many ids", () => {
  it("ends when the page is full, in both orders and behind a cursor", async () => {
    const first = await list({ conditions: [having("half")] });
    expect(first.ids).toEqual([0, 2, 4, 6, 8].map((back) => account(COUNT - back)));
    expect([first.hasMore, first.end, first.totalCount]).toEqual([true, undefined, undefined]);
    const after = account(10_001);
    const second = await list({ conditions: [having("half")], after });
    expect(second.ids).toEqual([10_000, 9_998, 9_996, 9_994, 9_992].map(account));
    const up = await list({ conditions: [having("half")], after, order: "asc" });
    expect(up.ids).toEqual([10_002, 10_004, 10_006, 10_008, 10_010].map(account));
    for (const { read } of [first, second, up]) expect(read).toBeLessThan(60);
  });

  it("stops at its bound, and says where to continue", async () => {
    const found = await list({ conditions: [having("all"), GBP] });
    expect(found).toMatchObject({ ids: [], hasMore: true, totalCount: undefined });
    expect(found.end).toBe(account(COUNT - MOST_WALKED + 1));
    expect(found.read).toBeLessThan(MOST_WALKED * 2.1);
  });

  it("is left for the index of a condition that fewer rows meet", async () => {
    const customers = [having("all"), ofOwner(0), GBP];
    const found = await list({ conditions: customers });
    expect(found).toMatchObject({ ids: [3, 2, 1].map(account), hasMore: false, totalCount: 3 });
    expect(found.read).toBeLessThan(MOST_SEARCHED / 4);
  });

  it("begins at a bound of the ids", async () => {
    const early: Condition = { sql: "t.id < ?::uuid", value: account(9), isOnId: true };
    const found = await list({ conditions: [having("all"), early] });
    expect(found.ids).toEqual([8, 7, 6, 5, 4].map(account));
    expect(found.read).toBeLessThan(60);
  });

  it("knows the total of its only page", async () => {
    const early: Condition = { sql: "t.id < ?::uuid", value: account(4), isOnId: true };
    const found = await list({ conditions: [having("all"), early] });
    expect(found).toMatchObject({ hasMore: false, end: undefined, totalCount: 3 });
    expect(await list({ conditions: [having("none")] })).toMatchObject({ ids: [], totalCount: 0 });
  });
});

describe("a walk of few ids", () => {
  it("judges all of them for a page, and counts those that fit", async () => {
    const found = await list({ conditions: [having("few", true)] });
    expect(found.ids).toEqual([0, 50, 100, 150, 200].map((back) => account(COUNT - back)));
    expect([found.hasMore, found.totalCount]).toEqual([true, COUNT / 50]);
    expect(found.read).toBeLessThan((2 * COUNT) / 50 + 20);
    const narrow = await list({ conditions: [having("few", true), ofOwner(0)] });
    expect(narrow).toMatchObject({ hasMore: true, totalCount: COUNT / 2_500 });
    const after = account(2_500);
    const last = await list({ conditions: [having("few", true), ofOwner(0)], after });
    expect(last).toMatchObject({ ids: [], hasMore: false, totalCount: COUNT / 2_500 });
  });

  it("leaves out rows whose value was changed since", async () => {
    const { totalCount } = await list({ conditions: [having("stale", true)] });
    expect(totalCount).toBe(COUNT / 50);
  });
});

it("finds on all pages of a search together the rows that meet it, each once and in order", async () => {
  const searches: readonly (readonly [Condition[], (n: number) => boolean, Condition[]?])[] = [
    [[having("half"), having("few")], VALUES.few],
    [[having("half"), GBP], (n) => n === 2],
    [[having("all"), GBP], (n) => n <= 3],
    [[having("all"), ofOwner(7), GBP], () => false],
    [[having("few", true), ofOwner(10)], (n) => n % 50 === 0 && Math.floor(n / 10) % 250 === 10],
    [[having("stale"), GBP], () => false],
    [[having("half")], (n) => n % 100 === 0, [{ sql: "t.currency = 'EUR'" }]],
    [[having("few", true)], (n) => n % 100 === 0, [{ sql: "t.currency = 'EUR'" }]],
  ];
  for (const order of ["asc", "desc"] as const)
    for (const [conditions, isMet, fits] of searches) {
      const ids: string[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < 60; pages++) {
        const page = await list({ conditions, order, after, limit: 100 }, fits);
        ids.push(...page.ids);
        if (!page.hasMore) break;
        after = page.end ?? page.ids.at(-1);
      }
      const all = Array.from({ length: COUNT }, (_, n) => n + 1).filter(isMet);
      expect(ids).toEqual((order === "asc" ? all : all.toReversed()).map(account));
    }
});
