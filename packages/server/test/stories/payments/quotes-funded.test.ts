import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { expireQuote } from "../../../src/domain/payments/quotes/expire-quote.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { advance, holdingsOf, internalAccount, systemBalances } from "../../kit/story-money.ts";
import { euroAccount, execute, sendFunds } from "../../kit/story-quotes.ts";
import { listenTo, type StoryReceiver } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

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

interface Stage {
  readonly story: Story;
  readonly customerId: string;
  readonly receiver: StoryReceiver;
  readonly quote: RawAnswer["json"];
}

async function waiting(
  suffix = "789",
  source: Readonly<Record<string, unknown>> = { currency: "USD" },
): Promise<Stage> {
  const story = await openStory(server);
  const { customerId } = await fundedCustomer(story, 0);
  const receiver = await listenTo(story);
  const quote = await story.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", customerId, ...source },
    destination: {
      destinationType: "ACCOUNT",
      accountId: await euroAccount(story, customerId, suffix),
    },
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: 92_000,
  });
  if (quote.status !== 201) throw new Error(quote.text);
  return { story, customerId, receiver, quote: quote.json };
}

async function toldTypes({ receiver }: Stage): Promise<readonly string[]> {
  return (await receiver.events())
    .slice(1)
    .map(({ type }) => type.replace("OUTGOING_PAYMENT.", ""));
}

async function transactionOf({ story, quote }: Stage) {
  return (await story.call("GET", `/transactions/${quote.transactionId}`)).json;
}

async function statusOf({ story, quote }: Stage): Promise<string> {
  return (await story.call("GET", `/quotes/${quote.id}`)).json.status;
}

describe("a quote that waits for its payer", () => {
  it("shows where to pay, under a reference of its own", async () => {
    const { story, quote, customerId } = await waiting();
    expect(quote).toMatchObject({
      status: "PENDING",
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
      totalSendingAmount: 100_322,
      totalReceivingAmount: 92_000,
      feesIncluded: 322,
    });
    const [instruction] = quote.paymentInstructions;
    expect(instruction.accountOrWalletInfo).toMatchObject({
      accountType: "USD_ACCOUNT",
      reference: expect.stringMatching(/^FL[0-9A-Z]{12}$/),
      paymentRails: expect.arrayContaining(["ACH", "WIRE"]),
    });
    const other = await story.call("POST", "/quotes", {
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
      destination: quote.destination,
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 5_000,
    });
    const { reference } = other.json.paymentInstructions[0].accountOrWalletInfo;
    expect(reference).not.toBe(instruction.accountOrWalletInfo.reference);
    const { data } = (await story.call("GET", `/transactions?reference=${reference}`)).json;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([other.json.transactionId]);
  });

  it("proceeds when the money arrives", async () => {
    const at = await waiting();
    const sent = await sendFunds(at.story, at.quote.id);
    expect(sent.status).toBe(200);
    expect(sent.json).toMatchObject({ id: at.quote.transactionId, status: "PROCESSING" });
    await at.story.settle();
    expect(await toldTypes(at)).toEqual(["PENDING", "PROCESSING", "COMPLETED"]);
    expect(await statusOf(at)).toBe("COMPLETED");
    expect(await transactionOf(at)).toMatchObject({
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: at.customerId },
      paymentInstructions: at.quote.paymentInstructions,
    });
    expect(await systemBalances(at.story, "USD")).toEqual({
      "rail-clearing": -100_322,
      fees: 311,
      fx: 100_010,
      rounding: 1,
    });
    expect(await systemBalances(at.story, "EUR")).toEqual({ fx: -92_010, "rail-clearing": 92_010 });
  });

  it.each([100_321, 100_323, 1])("fails and returns another amount: %d", async (amount) => {
    const at = await waiting();
    const sent = await sendFunds(at.story, at.quote.id, { currencyAmount: amount });
    expect(sent.json).toMatchObject({
      status: "FAILED",
      failureReason: "FUNDING_AMOUNT_MISMATCH",
      refund: { status: "PENDING" },
    });
    await at.story.settle();
    expect(await toldTypes(at)).toEqual([
      "PENDING",
      "FAILED",
      "REFUND_PENDING",
      "REFUND_COMPLETED",
    ]);
    expect(await statusOf(at)).toBe("FAILED");
    expect(await systemBalances(at.story, "USD")).toEqual({});
  });

  it("sends the money back where it came from when the payout fails", async () => {
    const at = await waiting("004");
    await sendFunds(at.story, at.quote.id);
    await at.story.settle();
    expect((await toldTypes(at)).at(-1)).toBe("REFUND_COMPLETED");
    expect(await transactionOf(at)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
    });
    expect(await systemBalances(at.story, "USD")).toEqual({});
  });

  it("keeps the received money when the refund fails", async () => {
    const at = await waiting("007");
    await sendFunds(at.story, at.quote.id);
    await at.story.settle();
    expect((await toldTypes(at)).at(-1)).toBe("REFUND_FAILED");
    expect(await systemBalances(at.story, "USD")).toEqual({
      "rail-clearing": -100_322,
      "paid-in": 100_322,
    });
  });

  it.each([
    ["USDC", "SOLANA"],
    // In this one the customer has an embedded wallet too, which is never paid into unasked.
    ["USDB", "SPARK"],
  ])(
    "in %s names an address on %s, and is refunded into the customer's account",
    async (currency, cryptoNetwork) => {
      const story = await openStory(server);
      const customer = await story.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
        fullName: "Ana Ruiz",
      });
      const customerId = customer.json.id;
      const type = "INTERNAL_CRYPTO";
      const account = await internalAccount(story, { customerId, currency, type });
      const quote = await story.call("POST", "/quotes", {
        source: { sourceType: "REALTIME_FUNDING", currency, cryptoNetwork, customerId },
        destination: {
          destinationType: "ACCOUNT",
          accountId: await bankAccount(story, { customerId, suffix: "004" }),
        },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 50_000_000,
      });
      expect(quote.json.source).toMatchObject({ currency, cryptoNetwork, customerId });
      expect(quote.json.paymentInstructions).toHaveLength(1);
      expect(quote.json.paymentInstructions[0].accountOrWalletInfo).toMatchObject({
        accountType: `${cryptoNetwork}_WALLET`,
        assetType: currency,
      });
      await sendFunds(story, quote.json.id, { currencyCode: currency });
      await story.settle();
      expect(await holdingsOf(story, account)).toEqual({
        available: 50_000_000,
        total: 50_000_000,
      });
    },
  );

  it("in crypto never goes back to the wallet that sent it, for any customer", async () => {
    const story = await openStory(server);
    const { customerId } = await fundedCustomer(story, 0);
    const to = await euroAccount(story, undefined, "004");
    // A customer without an account in the asset, and the platform itself.
    for (const payer of [{ customerId }, {}]) {
      const currency = "USDC";
      const quote = await story.call("POST", "/quotes", {
        source: { sourceType: "REALTIME_FUNDING", currency, cryptoNetwork: "SOLANA", ...payer },
        destination: { destinationType: "ACCOUNT", accountId: to },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 50_000_000,
      });
      await sendFunds(story, quote.json.id, { currencyCode: currency });
      await story.settle();
      const { refund } = (await story.call("GET", `/transactions/${quote.json.transactionId}`))
        .json;
      expect(refund).toMatchObject({ status: "COMPLETED" });
      const account = await internalAccount(story, { ...payer, currency });
      expect((await holdingsOf(story, account)).available).toBe(50_000_000);
    }
    expect(await systemBalances(story, "USDC")).toEqual({ "rail-clearing": -100_000_000 });
  });

  it("goes back when the destination was deleted before it came", async () => {
    const at = await waiting();
    const { accountId } = at.quote.destination;
    const gone = await at.story.call("DELETE", `/customers/external-accounts/${accountId}`);
    expect(gone.status).toBe(204);
    const sent = await sendFunds(at.story, at.quote.id);
    expect(sent.json).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "PENDING", reason: "TRANSACTION_FAILED" },
    });
    await at.story.settle();
    expect(await toldTypes(at)).toEqual([
      "PENDING",
      "PROCESSING",
      "FAILED",
      "REFUND_PENDING",
      "REFUND_COMPLETED",
    ]);
    expect(await statusOf(at)).toBe("FAILED");
    expect(await systemBalances(at.story, "USD")).toEqual({});
  });

  it("in bitcoin offers two invoices side by side", async () => {
    const { quote } = await waiting("789", { currency: "BTC" });
    const infos = quote.paymentInstructions.map(
      ({ accountOrWalletInfo }: { accountOrWalletInfo: object }) => accountOrWalletInfo,
    );
    expect(infos).toEqual([
      expect.objectContaining({ accountType: "SPARK_WALLET", assetType: "BTC" }),
      expect.objectContaining({ accountType: "LIGHTNING", invoice: expect.any(String) }),
    ]);
    expect(infos[0]).toHaveProperty("invoice");
  });

  it("is not executed by hand", async () => {
    const { story, quote } = await waiting();
    const answer = await execute(story, quote.id);
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({ code: "CONFLICT", details: { status: "PENDING" } });
  });

  it("refuses another currency, a second payment, and what comes too late", async () => {
    const { story, quote } = await waiting();
    const other = await sendFunds(story, quote.id, { currencyCode: "EUR" });
    expect(other.json).toMatchObject({
      code: "INVALID_CURRENCY",
      message: "The quote is funded in USD.",
      details: { field: "currencyCode", expected: "USD" },
    });
    expect((await sendFunds(story, quote.id)).status).toBe(200);
    expect((await sendFunds(story, quote.id)).json.code).toBe("CONFLICT");

    const late = await waiting();
    await advance(late.story, 301);
    expect((await sendFunds(late.story, late.quote.id)).json.code).toBe("QUOTE_EXPIRED");
  });

  it("is refused for a quote that debits an account, and for an unknown one", async () => {
    const story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story);
    const quote = await story.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId },
      destination: {
        destinationType: "ACCOUNT",
        accountId: await euroAccount(story, customerId),
      },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 5_000,
    });
    expect((await sendFunds(story, quote.json.id)).json.code).toBe("INVALID_INPUT");
    const nobody = "Quote:019a4f00-0000-7000-8000-000000000007";
    expect((await sendFunds(story, nobody)).json.code).toBe("QUOTE_NOT_FOUND");
  });
});

describe("a quote whose time runs out", () => {
  it("expires once, emits one event, and moves nothing", async () => {
    const at = await waiting();
    await advance(at.story, 299);
    expect(await statusOf(at)).toBe("PENDING");
    await advance(at.story, 2);
    expect(await statusOf(at)).toBe("EXPIRED");
    expect(await toldTypes(at)).toEqual(["PENDING", "EXPIRED"]);
    const transaction = await transactionOf(at);
    expect(transaction).toMatchObject({ status: "EXPIRED", failureReason: "QUOTE_EXPIRED" });
    expect((await at.receiver.events()).at(-1)?.data).toEqual(transaction);
    await advance(at.story, 1_000);
    expect(await toldTypes(at)).toEqual(["PENDING", "EXPIRED"]);
    expect(await systemBalances(at.story, "USD")).toEqual({});
  });

  it("expires in the end when its job comes too early", async () => {
    const at = await waiting();
    const { rows } = await server.database.asSuperuser((client) =>
      client.query("select id from jobs where platform_id = $1", [at.story.platformId]),
    );
    const [{ id: jobId }] = rows;
    const quoteId = at.quote.id.slice("Quote:".length);
    await server.app.engine.submit({
      platformId: at.story.platformId,
      actor: { kind: "worker", id: "early" },
      command: expireQuote,
      input: { quoteId, jobId, graceMs: 0 },
      toAnswer: () => ({ status: 200, body: "" }),
    });
    expect(await statusOf(at)).toBe("PENDING");
    await advance(at.story, 301);
    expect(await statusOf(at)).toBe("EXPIRED");
    expect(await toldTypes(at)).toEqual(["PENDING", "EXPIRED"]);
  });

  it("is refused by name", async () => {
    const story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story);
    const quote = await story.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId },
      destination: {
        destinationType: "ACCOUNT",
        accountId: await euroAccount(story, customerId),
      },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 5_000,
    });
    await advance(story, 300);
    const answer = await execute(story, quote.json.id);
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({
      code: "QUOTE_EXPIRED",
      details: { expiresAt: quote.json.expiresAt },
    });
  });
});
