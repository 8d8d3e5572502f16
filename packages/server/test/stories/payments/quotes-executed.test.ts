import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { advance, holdingsOf, internalAccount, systemBalances } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../../kit/story-quotes.ts";
import { listenTo, type StoryReceiver } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const BALANCE = 150_000;

const clock = createStoppableClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterEach(async () => {
  clock.go();
  await endReceivers();
});
afterAll(() => server.close());

interface Stage extends Funded {
  readonly story: Story;
  readonly destination: string;
  readonly receiver: StoryReceiver;
  readonly quoteId: string;
  readonly transactionId: string;
}

/** A quote of 1,000 dollars to a euro account with these last digits; executed. */
async function executed(suffix: string): Promise<Stage> {
  const story = await openStory(server);
  const funded = await fundedCustomer(story, BALANCE);
  const destination = await euroAccount(story, funded.customerId, suffix);
  const receiver = await listenTo(story);
  const quote = await askQuote(story, { from: funded.accountId, to: destination });
  expect(quote.status).toBe(201);
  const answer = await execute(story, quote.json.id);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ id: quote.json.id, status: "PROCESSING" });
  await story.settle();
  const { id: quoteId, transactionId } = quote.json;
  return { story, ...funded, destination, receiver, quoteId, transactionId };
}

async function toldTypes({ receiver }: Stage): Promise<readonly string[]> {
  const [test, ...events] = await receiver.events();
  expect(test?.type).toBe("TEST");
  return events.map(({ type }) => type.replace("OUTGOING_PAYMENT.", ""));
}

async function transactionOf({ story, transactionId, receiver }: Stage) {
  const { json } = await story.call("GET", `/transactions/${transactionId}`);
  const delivered = (await receiver.events()).filter(({ data }) => data.id === transactionId);
  expect(delivered.at(-1)?.data).toEqual(json);
  return json;
}

async function quoteStatus({ story, quoteId }: Stage): Promise<string> {
  return (await story.call("GET", `/quotes/${quoteId}`)).json.status;
}

const BALANCE_TOLD = "INTERNAL_ACCOUNT.BALANCE_UPDATED";
const BEGUN = ["PENDING", "PROCESSING", BALANCE_TOLD];
const REFUNDED = ["REFUND_PENDING", "REFUND_COMPLETED", BALANCE_TOLD];
const AFTER_SUCCESS = {
  usd: { fees: 310, fx: 99_689, rounding: 1, "sandbox-funding": -BALANCE },
  eur: { fx: -91_714, "rail-clearing": 91_714 },
};
const UNTOUCHED = { usd: { "sandbox-funding": -BALANCE }, eur: {} };

async function expectBooks({ story }: Stage, books: typeof UNTOUCHED): Promise<void> {
  expect(await systemBalances(story, "USD")).toEqual(books.usd);
  expect(await systemBalances(story, "EUR")).toEqual(books.eur);
}

describe("an executed quote", () => {
  it("holds the sender's money, exchanges it when the payment arrives, and tells every step", async () => {
    const at = await executed("789");
    expect(await toldTypes(at)).toEqual([...BEGUN, "COMPLETED"]);
    expect(await quoteStatus(at)).toBe("COMPLETED");
    const transaction = await transactionOf(at);
    expect(transaction).toMatchObject({
      status: "COMPLETED",
      type: "OUTGOING",
      quoteId: at.quoteId,
      sentAmount: { amount: 100_000, currency: { code: "USD" } },
      receivedAmount: { amount: 91_704, currency: { code: "EUR" } },
      exchangeRate: 1.08695652,
      fees: 321,
      settledAt: transaction.updatedAt,
    });
    const [, , processing, held] = await at.receiver.events();
    expect(processing?.data.status).toBe("PROCESSING");
    expect(held?.data).toMatchObject({
      balance: { amount: 50_000 },
      totalBalance: { amount: BALANCE },
    });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 50_000, total: 50_000 });
    await expectBooks(at, AFTER_SUCCESS);
  });

  it.each([
    ["002", "QUOTE_EXECUTION_FAILED"],
    ["004", "COUNTERPARTY_POST_TX_FAILED"],
  ])(
    "to an account ending in %s fails and gives everything back",
    async (suffix, failureReason) => {
      const at = await executed(suffix);
      expect(await toldTypes(at)).toEqual([...BEGUN, "FAILED", ...REFUNDED]);
      expect(await quoteStatus(at)).toBe("FAILED");
      expect(await transactionOf(at)).toMatchObject({
        status: "FAILED",
        failureReason,
        refund: {
          status: "COMPLETED",
          reason: "TRANSACTION_FAILED",
          reference: expect.stringMatching(/^RF-/),
        },
      });
      const delivered = await at.receiver.events();
      const pending = delivered.find(({ type }) => type.endsWith("REFUND_PENDING"))?.data;
      expect(pending).toMatchObject({ status: "FAILED", refund: { status: "PENDING" } });
      expect(pending.refund).not.toHaveProperty("settledAt");
      expect(await holdingsOf(at.story, at.accountId)).toEqual({
        available: BALANCE,
        total: BALANCE,
      });
      await expectBooks(at, UNTOUCHED);
    },
  );

  it("to an account ending in 003 takes six minutes", async () => {
    const at = await executed("003");
    expect(await toldTypes(at)).toEqual(BEGUN);
    await advance(at.story, 358);
    expect(await toldTypes(at)).toEqual(BEGUN);
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 50_000, total: BALANCE });
    await advance(at.story, 3);
    expect(await toldTypes(at)).toEqual([...BEGUN, "COMPLETED"]);
    expect(await quoteStatus(at)).toBe("COMPLETED");
    await expectBooks(at, AFTER_SUCCESS);
  });

  it("to an account ending in 005 arrives, is returned, and its exchange is reversed", async () => {
    const at = await executed("005");
    expect(await toldTypes(at)).toEqual([...BEGUN, "COMPLETED"]);
    await expectBooks(at, AFTER_SUCCESS);
    await advance(at.story, 6);
    expect(await toldTypes(at)).toEqual([...BEGUN, "COMPLETED", "FAILED", ...REFUNDED]);
    expect(await quoteStatus(at)).toBe("COMPLETED");
    expect(await transactionOf(at)).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
    });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({
      available: BALANCE,
      total: BALANCE,
    });
    await expectBooks(at, UNTOUCHED);
  });

  it("to an account ending in 006 is cancelled: the money is returned, then it completes", async () => {
    const at = await executed("006");
    expect(await toldTypes(at)).toEqual([...BEGUN, ...REFUNDED, "COMPLETED"]);
    expect(await quoteStatus(at)).toBe("COMPLETED");
    expect(await transactionOf(at)).toMatchObject({
      status: "COMPLETED",
      refund: { status: "COMPLETED", reason: "USER_CANCELLATION" },
    });
    const delivered = await at.receiver.events();
    const pending = delivered.find(({ type }) => type.endsWith("REFUND_PENDING"))?.data;
    expect(pending).toMatchObject({ status: "PROCESSING", refund: { status: "PENDING" } });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({
      available: BALANCE,
      total: BALANCE,
    });
    await expectBooks(at, UNTOUCHED);
  });

  it("to an account ending in 007 fails, and its money stays held when the refund fails too", async () => {
    const at = await executed("007");
    expect(await toldTypes(at)).toEqual([...BEGUN, "FAILED", "REFUND_PENDING", "REFUND_FAILED"]);
    const transaction = await transactionOf(at);
    expect(transaction).toMatchObject({ status: "FAILED", refund: { status: "FAILED" } });
    expect(transaction.refund).not.toHaveProperty("settledAt");
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 50_000, total: BALANCE });
    expect(await systemBalances(at.story, "USD")).toMatchObject({ "in-flight": 100_000 });
  });

  it("that comes back when its customer was deleted meanwhile is set aside for an operator", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story, 100_000);
    const to = await euroAccount(story, customerId, "005");
    const quote = await askQuote(story, { from: accountId, to });
    await execute(story, quote.json.id);
    await story.settle();
    expect((await story.call("DELETE", `/customers/${customerId}`)).status).toBe(200);
    await advance(story, 6);
    const ended = await story.call("GET", `/transactions/${quote.json.transactionId}`);
    expect(ended.json).toMatchObject({ status: "FAILED", refund: { status: "FAILED" } });
    expect(await holdingsOf(story, accountId)).toEqual({ available: 0, total: 0 });
    expect(await systemBalances(story, "USD")).toMatchObject({ "paid-in": 100_000 });
  });

  it("that comes back to an account that was filled up meanwhile is set aside for an operator", async () => {
    const most = 9_000_000_000_000_000;
    const at = await executed("005");
    const usd = { currencyCode: "USD", minAmount: 1, maxAmount: most };
    const enabledTransactionTypes = ["OUTGOING", "INCOMING"];
    await at.story.call("PATCH", "/config", {
      supportedCurrencies: [{ ...usd, requiredCounterpartyFields: [], enabledTransactionTypes }],
    });
    const pulled = await at.story.call("POST", "/transfer-in", {
      source: { accountId: await bankAccount(at.story, { customerId: at.customerId }) },
      destination: { accountId: at.accountId },
      amount: most - 50_000,
    });
    expect(pulled.status).toBe(201);
    await at.story.settle();
    const full = { available: most, total: most };
    expect(await holdingsOf(at.story, at.accountId)).toEqual(full);

    await advance(at.story, 6);
    expect(await transactionOf(at)).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "FAILED", reason: "TRANSACTION_FAILED" },
    });
    expect((await toldTypes(at)).slice(-3)).toEqual(["FAILED", "REFUND_PENDING", "REFUND_FAILED"]);
    expect(await holdingsOf(at.story, at.accountId)).toEqual(full);
    expect(await systemBalances(at.story, "USD")).toMatchObject({ "paid-in": 100_000 });
    expect(await systemBalances(at.story, "EUR")).toEqual({});
  });

  it("is replayed under its key, with an unnecessary signature and without", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story, 1_000_000);
    const quote = await askQuote(story, {
      from: accountId,
      to: await euroAccount(story, customerId),
    });
    const call = (headers: Readonly<Record<string, string>>) =>
      story.call("POST", `/quotes/${quote.json.id}/execute`, undefined, { key: "once", headers });
    const first = await call({});
    expect(first.status).toBe(200);
    for (const headers of [{ "Service-Wallet-Signature": "zzz" }, {}]) {
      const again = await call(headers);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
  });

  it("cannot be executed again, whatever became of it", async () => {
    for (const suffix of ["789", "003", "004"]) {
      const at = await executed(suffix);
      const again = await execute(at.story, at.quoteId);
      expect(again.status).toBe(409);
      expect(again.json.code).toBe("CONFLICT");
    }
  });
});

describe("a quote into another internal account", () => {
  it("credits it when it completes", async () => {
    const story = await openStory(server);
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD", "EUR"],
    });
    const customerId = customer.json.id;
    const from = await internalAccount(story, { customerId, currency: "USD" });
    const to = await internalAccount(story, { customerId, currency: "EUR" });
    await story.call("POST", `/sandbox/internal-accounts/${from}/fund`, { amount: BALANCE });
    const receiver = await listenTo(story);
    const quote = await askQuote(story, { from, to, more: { immediatelyExecute: true } });
    expect(quote.json).toMatchObject({ status: "PROCESSING", feesIncluded: 310 });
    await story.settle();
    const { totalReceivingAmount } = quote.json;
    expect(totalReceivingAmount).toBe(91_714);
    expect(await holdingsOf(story, to)).toEqual({ available: 91_714, total: 91_714 });
    expect(
      (await receiver.events()).slice(1).map(({ type, data }) => `${type} ${data.id}`),
    ).toEqual([
      `OUTGOING_PAYMENT.PENDING ${quote.json.transactionId}`,
      `OUTGOING_PAYMENT.PROCESSING ${quote.json.transactionId}`,
      `INTERNAL_ACCOUNT.BALANCE_UPDATED ${from}`,
      `OUTGOING_PAYMENT.COMPLETED ${quote.json.transactionId}`,
      `INTERNAL_ACCOUNT.BALANCE_UPDATED ${to}`,
    ]);
    expect(await systemBalances(story, "EUR")).toEqual({ fx: -91_714 });
  });
});

describe("a quote from an account that money is pulled from", () => {
  async function pulled(suffix: string) {
    const story = await openStory(server);
    const { customerId } = await fundedCustomer(story, 0);
    const from = await bankAccount(story, { customerId, suffix });
    const to = await euroAccount(story, customerId);
    const receiver = await listenTo(story);
    const quote = await askQuote(story, { from, to });
    expect((await execute(story, quote.json.id)).json.status).toBe("PROCESSING");
    await story.settle();
    const types = (await receiver.events()).slice(1).map(({ type }) => type.split(".")[1]);
    return { story, types, quoteId: quote.json.id, transactionId: quote.json.transactionId };
  }

  it("waits for the money, then pays out", async () => {
    const { story, types, quoteId } = await pulled("789");
    expect(types).toEqual(["PENDING", "PROCESSING", "COMPLETED"]);
    expect((await story.call("GET", `/quotes/${quoteId}`)).json.status).toBe("COMPLETED");
    expect(await systemBalances(story, "USD")).toEqual({
      "rail-clearing": -100_000,
      fees: 310,
      fx: 99_689,
      rounding: 1,
    });
  });

  it("fails without a refund when nothing came in", async () => {
    const { story, types, transactionId } = await pulled("004");
    expect(types).toEqual(["PENDING", "PROCESSING", "FAILED"]);
    const { json } = await story.call("GET", `/transactions/${transactionId}`);
    expect(json).toMatchObject({ status: "FAILED", failureReason: "COUNTERPARTY_POST_TX_FAILED" });
    expect(json).not.toHaveProperty("refund");
    expect(await systemBalances(story, "USD")).toEqual({});
  });
});
