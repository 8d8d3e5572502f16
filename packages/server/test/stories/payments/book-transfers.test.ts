import { afterEach, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { holdingsOf, internalAccount, ledgerOf, rowCounts } from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

const BALANCE = 10_000;
const AMOUNT = 2_500;
const UNKNOWN = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";

const server = await sharedServer();
afterEach(() => endReceivers());

interface Stage {
  readonly story: Story;
  readonly payer: Funded;
  readonly payee: Funded;
}

async function stage(): Promise<Stage> {
  const story = await openStory(server);
  return {
    story,
    payer: await fundedCustomer(story, BALANCE),
    payee: await fundedCustomer(story, 0),
  };
}

interface Wish {
  readonly from: string;
  readonly to: string;
  readonly amount?: unknown;
  readonly more?: object;
}

function move(story: Story, { from, to, amount = AMOUNT, more = {} }: Wish, options?: object) {
  const body = { source: { accountId: from }, destination: { accountId: to }, amount, ...more };
  return story.call("POST", "/transfers", body, options);
}

function usdOfPlatform(story: Story): Promise<string> {
  return internalAccount(story, { currency: "USD" });
}

describe("a book transfer", () => {
  it("moves money between two customers at once, as two completed transactions that name each other", async () => {
    const { story, payer, payee } = await stage();
    const receiver = await listenTo(story);
    const [from, to] = [payer.accountId, payee.accountId];
    const metadata = { invoice: "R-17" };
    const paid = await move(story, { from, to, more: { description: "Rent for March", metadata } });
    expect(paid.status).toBe(201);
    const amount = { amount: AMOUNT, currency: expect.objectContaining({ code: "USD" }) };
    const parties = {
      source: { sourceType: "ACCOUNT", accountId: from, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: to, currency: "USD" },
      sentAmount: amount,
      receivedAmount: amount,
      status: "COMPLETED",
      description: "Rent for March",
      metadata,
      paymentRail: "BOOK",
    };
    expect(paid.json).toEqual({
      id: expect.stringMatching(/^Transaction:/),
      type: "OUTGOING",
      direction: "DEBIT",
      customerId: payer.customerId,
      platformCustomerId: payer.platformCustomerId,
      counterpartTransactionId: expect.stringMatching(/^Transaction:/),
      createdAt: paid.json.settledAt,
      updatedAt: paid.json.settledAt,
      settledAt: expect.any(String),
      ...parties,
    });
    const received = await story.call("GET", `/transactions/${paid.json.counterpartTransactionId}`);
    expect(received.json).toMatchObject({
      type: "INCOMING",
      direction: "CREDIT",
      customerId: payee.customerId,
      platformCustomerId: payee.platformCustomerId,
      counterpartTransactionId: paid.json.id,
      ...parties,
    });
    expect(await ledgerOf(story, from)).toEqual({ available: BALANCE - AMOUNT, held: 0 });
    expect(await ledgerOf(story, to)).toEqual({ available: AMOUNT, held: 0 });

    await story.settle();
    const [, ...events] = await receiver.events();
    expect(events.map(({ type, data }) => [type, data.id])).toEqual([
      ["OUTGOING_PAYMENT.COMPLETED", paid.json.id],
      ["INCOMING_PAYMENT.COMPLETED", received.json.id],
      ["INTERNAL_ACCOUNT.BALANCE_UPDATED", from],
      ["INTERNAL_ACCOUNT.BALANCE_UPDATED", to],
    ]);
    expect(events[0]?.data).toEqual(paid.json);
    expect(events[1]?.data).toEqual(received.json);
    expect(events[3]?.data).toMatchObject({ balance: { amount: AMOUNT } });
  });

  it("takes a fee from a customer to the platform, and pays it back", async () => {
    const { story, payer } = await stage();
    const fees = await usdOfPlatform(story);
    const fee = await move(story, { from: payer.accountId, to: fees, amount: 150 });
    expect(fee).toMatchObject({ status: 201, json: { customerId: payer.customerId } });
    const back = await move(story, { from: fees, to: payer.accountId, amount: 150 });
    expect(back).toMatchObject({ status: 201, json: { type: "OUTGOING" } });
    expect(back.json.customerId).toMatch(/^PlatformConfig:/);
    expect((await holdingsOf(story, payer.accountId)).available).toBe(BALANCE);
    expect((await holdingsOf(story, fees)).available).toBe(0);
  });

  it("is in the lists of both customers, once each", async () => {
    const { story, payer, payee } = await stage();
    const paid = await move(story, { from: payer.accountId, to: payee.accountId });
    const idsOf = async (customerId: string) => {
      const list = await story.call(
        "GET",
        `/transactions?customerId=${customerId}&status=COMPLETED`,
      );
      return list.json.data.map(({ id }: { readonly id: string }) => id);
    };
    expect(await idsOf(payer.customerId)).toContain(paid.json.id);
    expect(await idsOf(payee.customerId)).toEqual([paid.json.counterpartTransactionId]);
  });

  it("pays into an embedded wallet", async () => {
    const story = await openStory(server);
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Wes Ott",
      currencies: ["USDB"],
    });
    const customerId = customer.json.id;
    const wallet = await internalAccount(story, {
      customerId,
      currency: "USDB",
      type: "EMBEDDED_WALLET",
    });
    const from = await internalAccount(story, { currency: "USDB" });
    await story.call("POST", `/sandbox/internal-accounts/${from}/fund`, { amount: 700 });
    expect(await move(story, { from, to: wallet, amount: 700 })).toMatchObject({ status: 201 });
    expect((await holdingsOf(story, wallet)).available).toBe(700);
  });

  it("is made once under one key, with the same bytes as answer", async () => {
    const { story, payer, payee } = await stage();
    const wish = { from: payer.accountId, to: payee.accountId };
    const [first, second] = await Promise.all([
      move(story, wish, { key: "one" }),
      move(story, wish, { key: "one" }),
    ]);
    expect(first.text).toBe(second.text);
    expect((await holdingsOf(story, payee.accountId)).available).toBe(AMOUNT);
    const other = await move(story, { ...wish, amount: 1 }, { key: "one" });
    expect(other).toMatchObject({ status: 422, json: { code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  it("never takes more than the balance, with forty at once", async () => {
    const { story, payer, payee } = await stage();
    const wish = { from: payer.accountId, to: payee.accountId, amount: 1_000 };
    const answers = await Promise.all(Array.from({ length: 40 }, () => move(story, wish)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect((await holdingsOf(story, payee.accountId)).available).toBe(BALANCE);
    expect((await holdingsOf(story, payer.accountId)).available).toBe(0);
  });
});

describe("a book transfer that is not made", () => {
  it("is refused with its reason, and leaves nothing behind", async () => {
    const { story, payer, payee } = await stage();
    const bank = await bankAccount(story, { customerId: payer.customerId });
    const other = await openStory(server);
    const foreign = await fundedCustomer(other, BALANCE);
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Bea Ott",
      currencies: ["EUR", "USDB"],
    });
    const accountOf = (currency: string, type?: string) =>
      internalAccount(story, { customerId: customer.json.id, currency, ...(type && { type }) });
    const euros = await accountOf("EUR");
    const wallet = await accountOf("USDB", "EMBEDDED_WALLET");
    const unready = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Uma Ott 001",
      currencies: ["USD"],
    });
    const unreadyAccount = await internalAccount(story, {
      customerId: unready.json.id,
      currency: "USD",
    });
    const [from, to] = [payer.accountId, payee.accountId];
    const counts = await rowCounts(story);

    const rows: readonly (readonly [Partial<Wish>, number, string, string?])[] = [
      [{ from: UNKNOWN }, 404, "REFERENCE_NOT_FOUND", "source.accountId"],
      [{ from: foreign.accountId }, 404, "REFERENCE_NOT_FOUND", "source.accountId"],
      [{ from: bank }, 404, "REFERENCE_NOT_FOUND", "/transfer-in"],
      [{ from: "x" }, 404, "REFERENCE_NOT_FOUND", "source.accountId"],
      [{ to: UNKNOWN }, 404, "REFERENCE_NOT_FOUND", "destination.accountId"],
      [{ to: foreign.accountId }, 404, "REFERENCE_NOT_FOUND", "destination.accountId"],
      [{ to: bank }, 404, "REFERENCE_NOT_FOUND", "/transfer-out"],
      [{ from: UNKNOWN, to: UNKNOWN }, 404, "REFERENCE_NOT_FOUND", "source.accountId"],
      [{ to: from }, 400, "SELF_PAYMENT"],
      [{ from: wallet, to: wallet }, 400, "SELF_PAYMENT"],
      [{ from: wallet }, 400, "INVALID_INPUT", "quotes"],
      [{ to: euros }, 400, "INVALID_CURRENCY", "quote"],
      [{ amount: 100_000_000_001 }, 400, "AMOUNT_OUT_OF_RANGE"],
      [{ to: unreadyAccount }, 403, "USER_NOT_READY", "must be APPROVED"],
      [{ from: unreadyAccount }, 403, "USER_NOT_READY", "must be APPROVED"],
      [{ amount: BALANCE + 1 }, 400, "INSUFFICIENT_BALANCE", "available"],
      [{ amount: "5" }, 400, "INVALID_AMOUNT"],
      [{ amount: 0 }, 400, "INVALID_AMOUNT"],
      [{ amount: 1.5 }, 400, "INVALID_AMOUNT"],
      [{ more: { description: 7 } }, 400, "INVALID_INPUT", "description"],
      [{ more: { description: "x".repeat(501) } }, 400, "INVALID_INPUT", "description"],
    ];
    for (const [change, status, code, said = ""] of rows) {
      const answer = await move(story, { from, to, ...change });
      const seen = `${JSON.stringify(change).slice(0, 80)}: ${answer.text}`;
      expect([answer.status, answer.json.code], seen).toEqual([status, code]);
      expect(answer.text, seen).toContain(said);
    }
    expect(await rowCounts(story)).toEqual(counts);
  });

  it("is refused for a token that may only view", async () => {
    const { story, payer, payee } = await stage();
    const token = await story.call("POST", "/tokens", { name: "viewer", permissions: ["VIEW"] });
    const { clientId, clientSecret } = token.json;
    const viewer = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const wish = { from: payer.accountId, to: payee.accountId };
    const answer = await move(story, wish, { authorization: viewer });
    expect(answer.status).toBe(403);
    expect((await holdingsOf(story, payee.accountId)).available).toBe(0);
  });
});

describe("a quote between two internal accounts", () => {
  it("pays an account of another customer in another currency", async () => {
    const { story, payer } = await stage();
    const other = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Eva Ott",
      currencies: ["EUR"],
    });
    const euros = await internalAccount(story, { customerId: other.json.id, currency: "EUR" });
    const quote = await story.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId: payer.accountId },
      destination: { destinationType: "ACCOUNT", accountId: euros },
      lockedCurrencySide: "RECEIVING",
      lockedCurrencyAmount: 500,
      immediatelyExecute: true,
    });
    expect(quote.status).toBe(201);
    await story.settle();
    expect((await holdingsOf(story, euros)).available).toBe(500);
  });
});
