/** The number of all that match, where it is kept and not counted; after every story the kept ones are compared with the rows. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../../kit/sample.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { unverifiedBusiness } from "../../kit/story-links.ts";
import { advance } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../../kit/story-quotes.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
let other: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  other = await openStory(server);
  for (const each of [story, other]) {
    await makeSome(each, await fundedCustomer(each, 1_000_000));
    for (const hours of HOURS_BETWEEN) {
      await advance(each, hours * 3_600);
      const { accountId } = await fundedCustomer(each, 1_000);
      await askQuote(each, { from: accountId, to: await euroAccount(each), amount: 1_000 });
    }
  }
});
afterAll(() => server.close());

/** From what is made first to what comes then, and so on: two days begin in between, or three. */
const HOURS_BETWEEN = [7, 13, 5, 40];

/** Something of every list in several states, and calls that are refused. */
async function makeSome(of: Story, { customerId, accountId }: Funded): Promise<void> {
  for (const suffix of ["000", "002", "003", "005"]) {
    const destination = { accountId: await bankAccount(of, { suffix, customerId }) };
    const order = { source: { accountId }, destination, amount: 100 };
    await of.call("POST", "/transfer-out", order);
    const refused = await of.call("POST", "/transfer-out", { ...order, amount: 10 ** 9 });
    expect(refused.status).toBe(400);
  }
  const euros = await euroAccount(of, customerId);
  const quotes = [];
  for (let n = 0; n < 3; n++) quotes.push(await askQuote(of, { from: accountId, to: euros }));
  await execute(of, quotes[0]?.json.id);
  await of.settle();
  await advance(of, 301);
  await bankAccount(of);
  await deleted(of, `/platform/external-accounts/${await euroAccount(of)}`);
  await deleted(of, `/customers/external-accounts/${euros}`);
  await deleted(of, `/customers/${await unverifiedBusiness(of)}`);
}

async function deleted(of: Story, path: string): Promise<void> {
  expect((await of.call("DELETE", path)).status).toBeLessThan(300);
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  "/transactions": [
    "",
    "type=OUTGOING",
    "type=INCOMING",
    "status=COMPLETED",
    "status=FAILED",
    "status=EXPIRED",
    "status=REJECTED",
    "type=OUTGOING&status=PROCESSING",
    "status=FAILED&startDate=2020-01-01T00:00:00Z",
    "sortOrder=asc",
  ],
  "/quotes": ["", "status=PENDING", "status=COMPLETED", "status=EXPIRED"],
  "/customers": ["", "customerType=BUSINESS", "isIncludingDeleted=true", "currency=USD"],
  "/customers/internal-accounts": ["", "currency=USD", "currency=XXX", "type=INTERNAL_FIAT"],
  "/platform/internal-accounts": ["", "currency=USD", "currency=EUR&type=INTERNAL_FIAT"],
  "/customers/external-accounts": ["", "currency=USD", "currency=EUR"],
  "/platform/external-accounts": ["", "currency=USD", "currency=EUR"],
};

/** What walking the list finds, one after the other, and what it says each time. */
async function walk(of: Story, path: string): Promise<{ found: number; said: Set<number> }> {
  const said = new Set<number>();
  let found = 0;
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page = await of.call("GET", `${path}&limit=1${cursor && `&cursor=${cursor}`}`);
    said.add(page.json.totalCount);
    found += page.json.data.length;
    cursor = page.json.nextCursor;
  }
  return { found, said };
}

const all = Object.entries(LISTS).flatMap(([path, queries]) =>
  queries.map((query) => `${path}?${query}`),
);

it.each(sampleOf(all))("of %s is what a walk through its pages finds", async (path) => {
  for (const of of [story, other]) {
    const { found, said } = await walk(of, path);
    expect([...said]).toEqual([found]);
  }
});

describe("of what was made in a stretch of time", () => {
  const HOUR_MS = 3_600_000;
  const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  /** Days that begin, milliseconds beside them, and hours in between. */
  const moments = [-24, 0, 24, 48].flatMap((hours) =>
    [-1, 0, 9 * HOUR_MS + 7].map((ms) => midnight + hours * HOUR_MS + ms),
  );
  const said = (ms: number) => new Date(ms).toISOString();
  const finer = (ms: number) => said(ms).replace("Z", "001Z");
  const ranges = moments.flatMap((from, index) => [
    { from: said(from) },
    { from: finer(from) },
    { to: said(from) },
    { to: finer(from) },
    ...moments.slice(index).map((to) => ({ from: said(from), to: said(to) })),
  ]);

  interface Range {
    readonly from?: string;
    readonly to?: string;
  }

  it.each([
    ["/transactions", "startDate", "endDate", ""],
    ["/transactions", "startDate", "endDate", "type=INCOMING"],
    ["/quotes", "createdAfter", "createdBefore", "status=EXPIRED"],
    ["/customers", "createdAfter", "createdBefore", ""],
  ])("%s is what is found there (%s, %s, %s)", async (path, after, before, more) => {
    const numbers = new Set<number>();
    // A sample may have ranges of one number alone.
    const always = [{ from: said(midnight) }, { to: said(midnight - 2 * 24 * HOUR_MS) }];
    for (const { from, to } of [...always, ...sampleOf<Range>(ranges)]) {
      const query = new URLSearchParams({
        ...(from && { [after]: from }),
        ...(to && { [before]: to }),
      });
      const list = `${path}?${more}&${query}`;
      const { json } = await story.call("GET", `${list}&limit=1`);
      const all = await story.call("GET", `${list}&limit=100`);
      expect([list, json.totalCount]).toEqual([list, all.json.data.length]);
      numbers.add(json.totalCount);
    }
    expect(numbers.size).toBeGreaterThan(1);
  });

  it.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"])("may end at %s", async (moment) => {
    const since = await story.call("GET", `/transactions?startDate=${moment}&limit=1`);
    const until = await story.call("GET", `/transactions?endDate=${moment}&limit=1`);
    const all = await story.call("GET", "/transactions?limit=1");
    expect(since.json.totalCount + until.json.totalCount).toBe(all.json.totalCount);
  });
});

it("differs from zero in most of these, so the totals are distinguishable", async () => {
  const found = await Promise.all(all.map(async (path) => [path, (await walk(story, path)).found]));
  expect(Object.fromEntries(found)).toMatchObject({
    "/transactions?": 16,
    "/transactions?status=FAILED": 3,
    "/transactions?type=OUTGOING&status=PROCESSING": 0,
    "/quotes?status=EXPIRED": 5,
    "/customers?": 5,
    "/customers?isIncludingDeleted=true": 6,
    "/customers/external-accounts?": 4,
    "/customers/external-accounts?currency=EUR": 0,
    "/platform/external-accounts?": 5,
  });
});

describe("what is kept", () => {
  const asSuperuser = <T>(text: string): Promise<readonly T[]> =>
    server.database.asSuperuser(async (client) => (await client.query(text)).rows as T[]);
  const kept = () => asSuperuser<object>("select * from list_totals order by 1, 2, 3, 4");

  it("is what the migration counts", async () => {
    const before = (await kept()) as readonly { readonly total: string }[];
    expect(before.length).toBeGreaterThan(20);
    const counting = new URL("../../../migrations/0021-lists-are-counted.sql", import.meta.url);
    await asSuperuser("delete from list_totals");
    await asSuperuser(await readFile(counting, "utf8"));
    // As migration 100 does, which gave accounts a mark: all of these are default ones.
    await asSuperuser(
      "update list_totals set kind = kind || ' default' where list = 'internal_accounts'",
    );
    expect(await kept()).toEqual(before.filter(({ total }) => total !== "0"));
  });
});
