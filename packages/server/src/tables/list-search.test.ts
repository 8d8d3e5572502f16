/** Searches of a list by a condition without an index: how far a page walks, what it says is left, and what it reads. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countedReads } from "../../test/kit/sql/rows-read.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import { type Condition, listRows, roughPage, tableSource } from "./list-query.ts";
import { type SearchedQuery, searchRows } from "./list-search.ts";
import { MOST_SEARCHED } from "./search.ts";

const LARGE = "018f0000-0000-7000-8000-00000000000a";
const FULL = "018f0000-0000-7000-8000-00000000000b";
const LARGEST = "018f0000-0000-7000-8000-00000000000c";
const COUNT = MOST_SEARCHED + 5_000;
const source = tableSource(internalAccounts);

const idOf = (kind: string, n: number) =>
  `018f0000-0000-7000-8000-${kind}${n.toString(16).padStart(11, "0")}`;
const account = (n: number) => idOf("a", n);
const owner = (n: number) => idOf("c", n);

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
  // Of forty owners in turn, who are others on FULL. The three oldest accounts, and every hundredth, are in other currencies.
  await place.asSuperuser(async (client) => {
    for (const [platform, count] of [
      [LARGE, COUNT],
      [FULL, MOST_SEARCHED],
      [LARGEST, MOST_SEARCHED * 4],
    ])
      await client.query(
        "insert into internal_accounts (platform_id, id, customer_id, type, status, currency, is_simulated, created_at) " +
          "select $1, ('018f0000-0000-7000-8000-a' || lpad(to_hex(n), 11, '0'))::uuid, " +
          "('018f0000-0000-7000-8000-c' || lpad(to_hex(n % 40 + $3::int8), 11, '0'))::uuid, 'INTERNAL_FIAT', 'ACTIVE', " +
          "case when n <= 3 then 'GBP' when n % 100 = 0 then 'EUR' else 'USD' end, true, now() from generate_series(1, $2::int8) n",
        [platform, count, platform === FULL ? 100 : 0],
      );
    await client.query("analyze");
  });
});
afterAll(() => place.drop());

interface Searched {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
  readonly end: string | undefined;
  /** Rows of the table, and of its indexes. */
  readonly read: number;
}

/** The rows of one page, and what it read. */
async function search(currency: string, query: Partial<SearchedQuery> = {}): Promise<Searched> {
  return place.asSuperuser(async (client) => {
    const { reads, during } = await countedReads(client);
    const wish = {
      platformId: LARGE,
      conditions: [],
      fits: [{ sql: "t.currency = ?", value: currency }],
      after: undefined,
      limit: 5,
      ...query,
    };
    const found: Omit<Searched, "read">[] = [];
    const read = await during(async () => {
      const { rows, hasMore, end } = await searchRows(reads, source, wish);
      found.push({ ids: rows.map(({ id }) => id), hasMore, end });
    });
    return { ...(found[0] ?? { ids: [], hasMore: false, end: undefined }), read };
  });
}

describe("a search", () => {
  it("ends when the page is full", async () => {
    const { ids, hasMore, end, read } = await search("USD");
    expect(ids).toEqual([1, 2, 3, 4, 5].map((back) => account(COUNT - back)));
    expect([hasMore, end]).toEqual([true, undefined]);
    expect(read).toBeLessThan(100);
  });

  it("says where to go on when it stops at its bound, with rows or without", async () => {
    const end = account(COUNT - MOST_SEARCHED + 1);
    expect(await search("GBP")).toMatchObject({ ids: [], hasMore: true, end });
    const some = await search("EUR", { limit: 300 });
    expect([some.ids.length, some.hasMore, some.end]).toEqual([MOST_SEARCHED / 100, true, end]);
    const rest = await search("GBP", { after: end });
    expect(rest).toMatchObject({ ids: [3, 2, 1].map(account), hasMore: false, end: undefined });
  });

  it("goes on in the other order", async () => {
    const first = await search("GBP", { order: "asc", limit: 2 });
    expect(first).toMatchObject({ ids: [1, 2].map(account), hasMore: true, end: undefined });
    const after = first.ids.at(-1);
    const second = await search("GBP", { order: "asc", limit: 2, after });
    expect(second).toMatchObject({ ids: [account(3)], hasMore: true });
    expect(second.end).toBe(account(2 + MOST_SEARCHED));
    const third = await search("GBP", { order: "asc", limit: 2, after: second.end });
    expect(third).toMatchObject({ ids: [], hasMore: false, end: undefined });
  });

  it("has no more when its bound is the last row", async () => {
    const whole = await search("JPY", { platformId: FULL });
    expect(whole).toMatchObject({ ids: [], hasMore: false, end: undefined });
    const three = await search("GBP", { platformId: FULL, limit: 3 });
    expect(three).toMatchObject({ ids: [3, 2, 1].map(account), hasMore: false });
  });

  it("merges the rows of alternatives, and stops at its bound", async () => {
    const platformId = LARGEST;
    const ofTwo = [1, 2].map((n) => `t.customer_id = '${owner(n)}'`);
    const two = await search("USD", { platformId, conditions: [{ sql: ofTwo }], limit: 4 });
    const newest = [38, 39, 78, 79].map((back) => account(4 * MOST_SEARCHED - back));
    expect(two).toMatchObject({ ids: newest, hasMore: true, end: undefined });
    const half = Array.from({ length: 20 }, (_, n) => `t.customer_id = '${owner(n)}'`);
    const none = await search("GBP", { platformId, conditions: [{ sql: half }] });
    expect(none).toMatchObject({ ids: [], hasMore: true, end: account(2 * MOST_SEARCHED + 1) });
  });

  it("finds a row once that fits several alternatives", async () => {
    const all = ["t.type = 'INTERNAL_FIAT'", `t.customer_id = '${owner(0)}'`];
    const found = await search("EUR", { conditions: [{ sql: all }] });
    const hundreds = [0, 1, 2, 3, 4].map((n) => account(COUNT - n * 100));
    expect(found).toMatchObject({ ids: hundreds, hasMore: true });
  });

  it("goes through the rows of each id of an alternative", async () => {
    const named: Condition = {
      sql: ["t.id = (?::uuid[])[1]", { column: "t.customer_id", ids: "(?::uuid[])[2:]" }],
      value: [account(1), owner(2), owner(3)],
    };
    const found = await search("GBP", { conditions: [named] });
    expect(found).toMatchObject({ ids: [3, 2, 1].map(account), hasMore: false });
  });
});

describe("the bound of a search", () => {
  const platformId = LARGEST;

  it("counts the rows that a condition without order leaves out", async () => {
    const rare = { sql: "t.type = ?", value: "EMBEDDED_WALLET", isUnordered: true };
    const found = await search("GBP", { platformId, conditions: [rare] });
    expect(found.end).toBe(account(3 * MOST_SEARCHED + 1));
    expect(found.read).toBeLessThan(MOST_SEARCHED * 1.1);
  });

  it("is lower where each row costs lookups", async () => {
    const fits = [{ sql: "t.currency = ?", value: "GBP", lookups: 3 }];
    const found = await search("", { platformId, fits });
    expect(found.end).toBe(account(4 * MOST_SEARCHED - MOST_SEARCHED / 4 + 1));
    expect(found.read).toBeLessThan(MOST_SEARCHED / 3);
  });
});

it("counts rows that no totals are kept of up to a bound", async () => {
  await place.asSuperuser(async (client) => {
    const { reads, during } = await countedReads(client);
    const totalOf = async (currency: string) => {
      const conditions = [{ sql: "t.currency = ?", value: currency }];
      const query = { platformId: LARGEST, conditions, after: undefined, limit: 2 };
      return (await roughPage(reads, source, query)).totalCount;
    };
    const read = await during(async () => expect(await totalOf("USD")).toBeUndefined());
    expect(read).toBeLessThan(MOST_SEARCHED * 1.1);
    expect(await totalOf("EUR")).toBe((4 * MOST_SEARCHED) / 100);
    expect(await totalOf("GBP")).toBe(3);
    expect(await totalOf("JPY")).toBe(0);
  });
});

it("reads a list by ids that a column may have from their rows alone", async () => {
  await place.asSuperuser(async (client) => {
    const { reads, during } = await countedReads(client);
    // The statistics, which are those of all platforms, say that nearly every row has one of the ids.
    const absent = Array.from({ length: 40 }, (_, n) => owner(n));
    const column = "t.customer_id";
    const named = { sql: ["t.id = (?::uuid[])[1]", { column, ids: "(?::uuid[])[2:]" }] };
    const conditions: Condition[] = [{ ...named, value: [account(7), ...absent] }];
    const query = { platformId: FULL, conditions, after: undefined, limit: 100 };
    const read = await during(async () => {
      const { rows } = await listRows(reads, source, query);
      expect(rows.map(({ id }) => id)).toEqual([account(7)]);
    });
    expect(read).toBeLessThan(500);
  });
});
