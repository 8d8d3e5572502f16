/** Quotes that a collection pays: what becomes of them when its money is held, and when the bank takes it back. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { bankAccount, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { booksOf, creditLine, resolveItem } from "../../kit/story-funding.ts";
import { systemBalances } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  euroDesk,
  expectStatus,
  fixedEuroRate,
  manualConnection,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

type Row = RawAnswer["json"];

let clock: ManualClock;
let server: TestServer;
let story: Story;
let desk: string;
let from: string;
let to: string;
beforeAll(async () => {
  clock = createManualClock(Date.UTC(2026, 10, 24, 9));
  server = await startTestServer({ clock });
});
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  from = await bankAccount(story);
  to = await euroAccount(story);
  await euroDesk(story);
  desk = await activeConnection(story, manualConnection());
  await routeTo(story, desk, { direction: "PULL" });
  await fixedEuroRate(story);
});
afterEach(async () => {
  await story.settle();
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

interface Executed {
  readonly id: string;
  readonly transactionId: string;
}

async function executed(): Promise<Executed> {
  const asked = await story.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId: from },
    destination: { destinationType: "ACCOUNT", accountId: to },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000,
  });
  const { id, transactionId } = expectStatus(201, asked).json;
  expectStatus(200, await story.call("POST", `/quotes/${id}/execute`));
  return { id, transactionId };
}

async function orderOf({ transactionId }: Executed, direction: string): Promise<Row | undefined> {
  const path = `/rails/payments?transactionId=${transactionId}&direction=${direction}`;
  return (await story.call("GET", path)).json.data[0];
}

async function mark(quote: Executed, direction: string, outcome: string): Promise<Row> {
  const order = await orderOf(quote, direction);
  const path = `/rails/payments/${order?.id}/mark`;
  return expectStatus(200, await story.call("POST", path, { outcome })).json;
}

/** The bank takes the collection back, as a person marks; and its line. */
async function takenBack(quote: Executed): Promise<Row> {
  await mark(quote, "PULL", "RETURNED");
  const reference = (await orderOf(quote, "PULL"))?.endToEndId;
  const line = creditLine({ direction: "DEBIT", reference });
  return expectStatus(201, await story.call("POST", `/rails/connections/${desk}/entries`, line))
    .json;
}

const receivables = async (): Promise<readonly Row[]> =>
  (await story.call("GET", "/rails/receivables")).json.data;
const items = async (): Promise<readonly Row[]> =>
  (await story.call("GET", "/rails/items?state=OPEN")).json.data;

describe("a collection that is taken back after it has paid a quote", () => {
  it("leaves the quote as it is, and the platform owes all of it", async () => {
    const quote = await executed();
    await mark(quote, "PULL", "SETTLED");
    await mark(quote, "OUT", "SETTLED");
    expect(await takenBack(quote)).toMatchObject({ bookedAs: "RETURN" });
    expect((await orderOf(quote, "PULL"))?.state).toBe("RETURNED");
    expect((await transactionOf(story, quote.transactionId)).status).toBe("COMPLETED");
    expect((await booksOf(story, desk)).clearing ?? 0).toBe(0);
    const [receivable] = await receivables();
    expect(receivable).toMatchObject({
      amount: { amount: 1_000 },
      open: { amount: 1_000 },
      transactionId: quote.transactionId,
      state: "OPEN",
    });
    expect(receivable).not.toHaveProperty("customerId");
    const owner = await story.call("GET", "/platform/internal-accounts?currency=USD");
    expect(owner.json.data.map(({ id }: Row) => id)).toContain(receivable.internalAccountId);
    const path = `/rails/receivables/${receivable.id}`;
    expect((await story.call("POST", `${path}/collect`)).status).toBe(409);
    expectStatus(200, await story.call("POST", `${path}/write-off`, { note: "fraud" }));
    expect(await booksOf(story, desk)).toMatchObject({ "own-funds": -1_000 });
  });

  it("is an item when the payout fails after that: its payer has the money already", async () => {
    const quote = await executed();
    await mark(quote, "PULL", "SETTLED");
    await mark(quote, "PULL", "RETURNED");
    expect((await transactionOf(story, quote.transactionId)).status).toBe("PROCESSING");
    await mark(quote, "OUT", "DECLINED");
    const failed = await transactionOf(story, quote.transactionId);
    expect([failed.status, failed.refund.status]).toEqual(["FAILED", "COMPLETED"]);
    expect(await orderOf(quote, "BACK")).toBeUndefined();
    const [item] = await items();
    expect(item).toMatchObject({ reason: "COLLECTION_RETURNED", amount: { amount: 1_000 } });
    const [receivable] = await receivables();
    const part = { kind: "RECEIVABLE", amount: 1_000, receivableId: receivable.id };
    expectStatus(200, await resolveItem(story, item.id, part));
    expect(await receivables()).toMatchObject([{ state: "COLLECTED" }]);
    const { receivables: owed = 0, suspense = 0 } = await systemBalances(story);
    expect([owed, suspense]).toEqual([0, 0]);
  });

  it("is an item when the payout comes back after that", async () => {
    const quote = await executed();
    await mark(quote, "PULL", "SETTLED");
    await mark(quote, "OUT", "SETTLED");
    await mark(quote, "PULL", "RETURNED");
    await mark(quote, "OUT", "RETURNED");
    expect((await transactionOf(story, quote.transactionId)).refund.status).toBe("COMPLETED");
    const [item] = await items();
    const part = { kind: "OWN_FUNDS", amount: 1_000, label: "kept" };
    expectStatus(200, await resolveItem(story, item.id, part));
  });

  it("waits for a person when the money is on its way back to the payer", async () => {
    const quote = await executed();
    await mark(quote, "PULL", "SETTLED");
    await mark(quote, "OUT", "DECLINED");
    expect(await takenBack(quote)).toMatchObject({ bookedAs: "SUSPENSE" });
    expect(await orderOf(quote, "PULL")).toMatchObject({ state: "SETTLED", conflict: true });
    expect(await receivables()).toEqual([]);
  });
});

describe("a collection for a quote that is held for some banking days", () => {
  beforeEach(async () => {
    const settings = { holdDays: 2 };
    const path = `/rails/connections/${desk}`;
    expectStatus(200, await story.call("PATCH", path, { settings }));
  });

  it("pays the quote after them", async () => {
    const quote = await executed();
    const pull = await mark(quote, "PULL", "SETTLED");
    expect(pull.heldUntil).toBeDefined();
    expect(await orderOf(quote, "OUT")).toBeUndefined();
    expect(await systemBalances(story)).toMatchObject({ "paid-in": 1_000 });
    await clock.advance(3 * 86_400_000);
    await story.settle();
    await mark(quote, "OUT", "SETTLED");
    expect((await transactionOf(story, quote.transactionId)).status).toBe("COMPLETED");
  });

  it("fails the quote when it is taken back within them, and nothing is owed", async () => {
    const quote = await executed();
    await mark(quote, "PULL", "SETTLED");
    expect(await takenBack(quote)).toMatchObject({ bookedAs: "RETURN" });
    const failed = await transactionOf(story, quote.transactionId);
    expect(failed).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" });
    expect(await receivables()).toEqual([]);
    await clock.advance(3 * 86_400_000);
    await story.settle();
    expect(await orderOf(quote, "OUT")).toBeUndefined();
  });
});
