/** What `florin verify` finds in the rows of accounts and payments: edited on purpose, and rolled back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OVERDUE_PAYMENTS } from "../../../src/audit/reconciliation.sql.ts";
import { RAIL_PROMISE_MS } from "../../../src/domain/payments/transfers/payment-rail.port.ts";
import { foundAfter as reconciledAfter } from "../../kit/reconciled.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { internalAccount, systemBalances } from "../../kit/story-money.ts";
import { euroAccount, sendFunds } from "../../kit/story-quotes.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const HELD = 2_500;
const ARRIVED = 77_000;

let server: TestServer;
let story: Story;
let transferId: string;
let stuckId: string;
let settledId: string;
let emptyAccountId: string;
let bookedId: string;
let payerId: string;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  payerId = accountId;
  emptyAccountId = bare(await internalAccount(story, { currency: "EUR" }));
  transferId = await underWay(accountId, customerId);
  const booked = await story.call("POST", "/transfers", {
    source: { accountId },
    destination: { accountId: await internalAccount(story, { currency: "USD" }) },
    amount: 100,
  });
  bookedId = bare(booked.json.id);
  stuckId = await paid({ customerId, suffix: "007", more: { currencyAmount: ARRIVED } });
  settledId = await paid({ customerId, suffix: "789" });
});
afterAll(() => server.close());

const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);

/** A transfer whose bank says nothing for now. */
async function underWay(accountId: string, customerId: string): Promise<string> {
  const sent = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await bankAccount(story, { suffix: "005", customerId }) },
    amount: HELD,
  });
  await story.settle();
  return bare(sent.json.id);
}

/** A quote that its payer has paid; with another amount, and by way of a bank that takes nothing back, that money is stuck. */
async function paid(wish: {
  readonly customerId: string;
  readonly suffix: string;
  readonly more?: Readonly<Record<string, unknown>>;
}): Promise<string> {
  const { customerId, suffix, more } = wish;
  const accountId = await euroAccount(story, customerId, suffix);
  const quote = await story.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId },
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: 92_000,
  });
  await sendFunds(story, quote.json.id, more);
  await story.settle();
  return bare(quote.json.id);
}

const foundAfter = (edit: string, values: readonly string[] = []) =>
  reconciledAfter({ server, story }, edit, values);

/** The same without what is found of lists, which count payments by their status. */
async function booksAfter(edit: string, values: readonly string[] = []) {
  return (await foundAfter(edit, values)).filter((line) => !line.startsWith("list_totals"));
}

const differs = (place: string, sides: { readonly books: number; readonly payments: number }) =>
  `ledger_accounts | ${place} | it comes to ${sides.books}, the payments to ${sides.payments}`;

const ASIDE = "in-flight and paid-in in USD";

describe("what the books have", () => {
  it("equals the sum of payments: one under way, one settled, a quote, a refund that failed", async () => {
    expect(await foundAfter("select 1")).toEqual([]);
    const { json } = await story.call("GET", `/quotes/Quote:${stuckId}`);
    expect(json).toMatchObject({ status: "FAILED" });
    expect(json.totalSendingAmount).not.toBe(ARRIVED);
    expect(await systemBalances(story)).toMatchObject({ "in-flight": HELD, "paid-in": ARRIVED });
    expect(Object.keys(await systemBalances(story))).toEqual(
      expect.arrayContaining(["fees", "fx", "rail-clearing", "sandbox-funding"]),
    );
  });

  it("is more than set aside once a transfer under way is said to have settled", async () => {
    const edit = "update transactions set status = 'COMPLETED' where id = $1";
    const { "rail-clearing": rail = 0 } = await systemBalances(story);
    expect(await booksAfter(edit, [transferId])).toEqual([
      differs(ASIDE, { books: HELD + ARRIVED, payments: ARRIVED }),
      differs("rail-clearing in USD", { books: rail, payments: rail + HELD }),
    ]);
  });

  it("is more than set aside once a refund that failed is said to have gone well", async () => {
    const edit = 'update transactions set refund = \'{"status":"COMPLETED"}\' where quote_id = $1';
    const { "rail-clearing": rail = 0 } = await systemBalances(story);
    expect(await booksAfter(edit, [stuckId])).toEqual([
      differs(ASIDE, { books: HELD + ARRIVED, payments: HELD }),
      differs("rail-clearing in USD", { books: rail, payments: rail + ARRIVED }),
    ]);
  });

  it.each([
    ["another amount came in", "arrived_minor = 1", ["rail-clearing in USD"]],
    [
      "another fee was taken",
      "fixed_fee_minor = fixed_fee_minor + 1",
      ["fees in USD", "rounding in USD"],
    ],
    [
      "it was paid at another price",
      "receiving_minor = receiving_minor - 1",
      ["fx in EUR", "rail-clearing in EUR"],
    ],
    [
      "it did not settle",
      "status = 'FAILED'",
      ["fees in USD", "fx in EUR", "fx in USD", "rail-clearing in EUR", "rounding in USD"],
    ],
  ])("is not what a settled quote says once %s", async (_what, change, places) => {
    const found = await booksAfter(`update quotes set ${change} where id = $1`, [settledId]);
    expect(found.map((line) => line.split(" | ")[1])).toEqual(places);
  });

  it("lacks what a deposit in flight would have set aside", async () => {
    const edit =
      "insert into jobs (platform_id, id, kind, payload, due_at, run_at, attempts) " +
      "select platform_id, gen_random_uuid(), 'send-uma-deposit', " +
      `'{"currency":"EUR","minor":"5"}', now(), now(), 0 from quotes where id = $1`;
    expect(await booksAfter(edit, [settledId])).toEqual([
      differs("uma-clearing in EUR", { books: 0, payments: -5 }),
      differs("uma-transit in EUR", { books: 0, payments: 5 }),
    ]);
  });

  it("is less than sandbox money that is said to have come in", async () => {
    const edit =
      "update transactions set received_minor = received_minor + 1 " +
      "where platform_id = $1 and source ->> 'type' = 'REALTIME_FUNDING'";
    const { "sandbox-funding": funding = 0 } = await systemBalances(story);
    expect(await booksAfter(edit, [story.platformId])).toEqual([
      differs("sandbox-funding in USD", { books: funding, payments: funding - 1 }),
    ]);
  });
});

describe("the two transactions of a book transfer", () => {
  it.each([
    [
      "the amount of one changes",
      "update transactions set sent_minor = 99, received_minor = 99 where id = $1",
    ],
    ["one is not completed", "update transactions set status = 'FAILED' where id = $1"],
    ["both go the same way", "update transactions set type = 'INCOMING' where id = $1"],
    [
      "one goes to another account",
      "update transactions set destination_account_id = id where id = $1",
    ],
  ])("are both named when %s", async (_what, edit) => {
    const found = await booksAfter(edit, [bookedId]);
    expect(found).toHaveLength(2);
    expect(found.join()).toContain(`payment ${bookedId} | it does not mirror its counterpart`);
  });

  it.each([
    ["is missing", "delete from transactions where id = $1"],
    [
      "names another one",
      `update transactions set details = ('{"counterpartTransactionId":"Transaction:' || id::text || '"}')::json where id = $1`,
    ],
  ])("are named when one %s", async (_what, edit) => {
    const found = await booksAfter(edit, [bookedId]);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((line) => line.includes("does not mirror"))).toBe(true);
  });
});

describe("what the row of a payment counts as refunded", () => {
  let receivedId: string;
  let refundId: string;
  beforeAll(async () => {
    const usd = await internalAccount(story, { currency: "USD" });
    const paid = await story.call("POST", "/transfers", {
      source: { accountId: payerId },
      destination: { accountId: usd },
      amount: 60,
    });
    const { counterpartTransactionId } = paid.json;
    const body = { amount: 20, reason: "OTHER" };
    const path = `/transactions/${counterpartTransactionId}/refund`;
    const refund = await story.call("POST", path, body);
    [receivedId, refundId] = [bare(counterpartTransactionId), bare(refund.json.id)];
  });

  const counts = (refunded: number, pending = 0) =>
    `update transactions set outcome = json_build_object('refundedMinor', '${refunded}', 'refundPendingMinor', '${pending}') where id = $1`;
  it.each([
    ["it counts too much", counts(21)],
    ["it counts too little", counts(19)],
    ["it counts one that is not there", counts(20, 1)],
    ["it counts none", "update transactions set outcome = null where id = $1"],
    ["it is REFUNDED too early", "update transactions set status = 'REFUNDED' where id = $1"],
  ])("is named when %s", async (_what, edit) => {
    const found = await booksAfter(edit, [receivedId]);
    expect(found).toEqual([expect.stringMatching(`payment ${receivedId} . it is`)]);
  });

  it("is named when a refund names no payment of the platform", async () => {
    const found = await booksAfter(
      `update transactions set details = (details::jsonb || '{"refundOf": "Transaction:019a4f00-0000-7000-8000-0000000000ee"}')::json where id = $1`,
      [refundId],
    );
    expect(found.length).toBe(2);
  });
});

describe("a payment under way", () => {
  async function overdueAt(now: number): Promise<readonly string[]> {
    const query = {
      text: OVERDUE_PAYMENTS,
      values: [story.platformId, now],
      rowMode: "array",
    } as const;
    const { rows } = await server.database.asSuperuser((client) => client.query<string[]>(query));
    return rows.map(([table, row]) => `${table} | ${row}`);
  }

  it("is named once nothing has happened to it for longer than a rail may take", async () => {
    const { json } = await story.call("GET", `/transactions/Transaction:${transferId}`);
    const due = Date.parse(json.updatedAt) + RAIL_PROMISE_MS;
    expect(await overdueAt(due)).toEqual([]);
    expect(await overdueAt(due + 1)).toEqual([`transactions | payment ${transferId}`]);
  });
});

describe("an internal account", () => {
  const missing = () =>
    `internal_accounts | account ${emptyAccountId} | the books have no account for it in EUR`;

  it("without an account in the books is reported, even if it was never used", async () => {
    const edit = "delete from ledger_accounts where id = $1";
    expect(await booksAfter(edit, [emptyAccountId])).toEqual([missing()]);
  });

  it("in another currency than its account in the books is reported from both sides", async () => {
    const edit = "update ledger_accounts set currency = 'MXN' where id = $1";
    expect(await booksAfter(edit, [emptyAccountId])).toEqual([
      missing(),
      `ledger_accounts | account ${emptyAccountId} | no internal account in MXN is behind it`,
    ]);
  });

  it("that does not exist leaves an account in the books that is reported", async () => {
    const edit = "delete from internal_accounts where id = $1";
    expect(await booksAfter(edit, [emptyAccountId])).toEqual([
      `ledger_accounts | account ${emptyAccountId} | no internal account in EUR is behind it`,
    ]);
  });
});

describe("how long a list is", () => {
  it.each([
    [
      "update list_totals set total = total + 3 where list = 'quotes' and kind = 'FAILED'",
      "list_totals | quotes of day 0, FAILED | it says 4, there are 1",
    ],
    [
      "delete from list_totals where list = 'customers'",
      "list_totals | customers of day 0, INDIVIDUAL live | it says 0, there are 1",
    ],
    [
      "update list_totals set kind = 'nobody USD live' where list = 'external_accounts' and kind like '% USD live'",
      "list_totals | external_accounts of day 0, customer USD live | it says 0, there are 1",
      "list_totals | external_accounts of day 0, nobody USD live | it says 1, there are 0",
    ],
    [
      "update list_totals set list = 'nobodys' where list = 'quotes' and kind = 'FAILED'",
      "list_totals | quotes of day 0, FAILED | it says 0, there are 1",
      "list_totals | nobodys of day 0, FAILED | no list of this name is compared with its rows",
    ],
  ])("is what is there, and not what is left by: %s", async (edit, ...found) => {
    const lines = await foundAfter(edit);
    const today = Math.floor(Date.now() / 86_400_000);
    const days = lines.map((line) => Number(/ of day (\d+),/.exec(line)?.[1]));
    for (const day of days) expect([today - 1, today]).toContain(day);
    expect(lines.map((line) => line.replace(/day \d+/, "day 0"))).toEqual(found);
  });
});

describe("the UMA domains of a platform", () => {
  it("are those that it has claimed, neither more nor fewer", async () => {
    const { umaDomain } = (await story.call("GET", "/config")).json;
    const claimed = `reversed_labels('${umaDomain}')`;
    expect(await foundAfter(`delete from domain_claims where reversed = ${claimed}`)).toEqual([
      `platforms | UMA domain ${umaDomain} | the platform has not claimed it`,
    ]);
    const other = `update domain_claims set namespace = 'production' where reversed = ${claimed}`;
    expect(await foundAfter(other)).toEqual([
      `domain_claims | ${umaDomain} of production | the platform does not have this UMA domain`,
      `platforms | UMA domain ${umaDomain} | the platform has not claimed it`,
    ]);
    const more = "insert into domain_claims values ('sandbox', 'test.more', $1)";
    expect(await foundAfter(more, [story.platformId])).toEqual([
      "domain_claims | more.test of sandbox | the platform does not have this UMA domain",
    ]);
  });
});
