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
import {
  advance,
  fund,
  holdingsOf,
  internalAccount,
  ledgerOf,
  systemBalances,
} from "../../kit/story-money.ts";
import { listenTo, type StoryReceiver } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const AMOUNT = 2_500;
const MOST = 9_000_000_000_000_000;

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
  readonly source: string;
  readonly receiver: StoryReceiver;
}

async function stage(suffix: string): Promise<Stage> {
  const story = await openStory(server);
  const funded = await fundedCustomer(story, 0);
  const source = await bankAccount(story, { suffix, customerId: funded.customerId });
  return { story, ...funded, source, receiver: await listenTo(story) };
}

function pull({ story, accountId, source }: Stage, amount = AMOUNT) {
  return story.call("POST", "/transfer-in", {
    source: { accountId: source },
    destination: { accountId },
    amount,
  });
}

async function deliveredTypes({ receiver }: Stage): Promise<readonly string[]> {
  const [test, ...events] = await receiver.events();
  expect(test?.type).toBe("TEST");
  return events.map(({ type }) => type);
}

/** The transaction as it is read, which is what its last event told. */
async function finalOf({ story, receiver }: Stage, transactionId: string) {
  const read = await story.call("GET", `/transactions/${transactionId}`);
  const delivered = (await receiver.events()).filter(({ data }) => data.id === transactionId);
  expect(delivered.at(-1)?.data).toEqual(read.json);
  return read.json;
}

async function expectNothingMoved({ story, accountId }: Stage) {
  expect(await holdingsOf(story, accountId)).toEqual({ available: 0, total: 0 });
  expect(await ledgerOf(story, accountId)).toEqual({ available: 0, held: 0 });
  expect(await systemBalances(story)).toEqual({});
}

describe("a transfer in that succeeds", () => {
  it("credits the account when the money is here, and not before", async () => {
    const at = await stage("789");
    const pulled = await pull(at);
    expect(pulled.status).toBe(201);
    const usd = expect.objectContaining({ code: "USD", decimals: 2 });
    expect(pulled.json).toEqual({
      id: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      status: "PENDING",
      type: "INCOMING",
      direction: "CREDIT",
      paymentRail: "ACH",
      source: { sourceType: "ACCOUNT", accountId: at.source, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: at.accountId, currency: "USD" },
      customerId: at.customerId,
      platformCustomerId: at.platformCustomerId,
      sentAmount: { amount: AMOUNT, currency: usd },
      receivedAmount: { amount: AMOUNT, currency: usd },
      reconciliationInstructions: { reference: expect.stringMatching(/^TI-[0-9A-F]{16}$/) },
      createdAt: pulled.json.updatedAt,
      updatedAt: pulled.json.createdAt,
    });
    await at.story.settle();

    expect(await deliveredTypes(at)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.COMPLETED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
    const [, pending, , updated] = await at.receiver.events();
    expect(pending?.data).toEqual(pulled.json);
    expect(updated?.data).toMatchObject({
      id: at.accountId,
      balance: { amount: AMOUNT },
      totalBalance: { amount: AMOUNT },
    });
    const read = await finalOf(at, pulled.json.id);
    expect(read).toMatchObject({ status: "COMPLETED", settledAt: read.updatedAt });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: AMOUNT, total: AMOUNT });
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: AMOUNT, held: 0 });
    expect(await systemBalances(at.story)).toEqual({ "rail-clearing": -AMOUNT });
  });

  it("brings the platform its own money", async () => {
    const story = await openStory(server);
    const accountId = await internalAccount(story, { currency: "USD" });
    const pulled = await story.call("POST", "/transfer-in", {
      source: { accountId: await bankAccount(story) },
      destination: { accountId },
      amount: AMOUNT,
    });
    expect(pulled.json.customerId).toBe(`PlatformConfig:${story.platformId}`);
    await story.settle();
    expect(await holdingsOf(story, accountId)).toEqual({ available: AMOUNT, total: AMOUNT });
  });
});

describe("a transfer in that fails at once", () => {
  it.each([
    ["002", "QUOTE_EXECUTION_FAILED"],
    ["003", "COUNTERPARTY_POST_TX_FAILED"],
  ])("by the ending %s has failed when it is answered", async (suffix, reason) => {
    const at = await stage(suffix);
    const pulled = await pull(at);
    expect(pulled.status).toBe(201);
    expect(pulled.json).toMatchObject({ status: "FAILED", failureReason: reason });
    await at.story.settle();
    await advance(at.story, 3_600);
    expect(await deliveredTypes(at)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.FAILED",
    ]);
    expect(await finalOf(at, pulled.json.id)).toEqual(pulled.json);
    await expectNothingMoved(at);
  });
});

describe("a transfer in that the bank rejects", () => {
  it("fails after it was accepted, and never touches the books", async () => {
    const at = await stage("004");
    const pulled = await pull(at);
    expect(pulled.json.status).toBe("PENDING");
    await at.story.settle();
    expect(await deliveredTypes(at)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.FAILED",
    ]);
    const read = await finalOf(at, pulled.json.id);
    expect(read).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
    });
    expect(read).not.toHaveProperty("settledAt");
    await expectNothingMoved(at);
  });
});

describe("a transfer in without an outcome", () => {
  it("is still pending after 29 seconds and has failed after 30", async () => {
    const at = await stage("005");
    clock.stop();
    const pulled = await pull(at);
    await at.story.settle();
    await advance(at.story, 29);
    const waiting = await at.story.call("GET", `/transactions/${pulled.json.id}`);
    expect(waiting.json).toEqual(pulled.json);
    expect(await deliveredTypes(at)).toEqual(["INCOMING_PAYMENT.PENDING"]);

    await advance(at.story, 1);
    const read = await finalOf(at, pulled.json.id);
    expect(read).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
    });
    expect(await deliveredTypes(at)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.FAILED",
    ]);
    await expectNothingMoved(at);
  });
});

describe("an account that holds the most an account may hold", () => {
  async function fullAccount() {
    const at = await stage("789");
    const config = await at.story.call("GET", "/config");
    const supportedCurrencies = config.json.supportedCurrencies.map((currency: object) => ({
      ...currency,
      maxAmount: MOST,
    }));
    const set = await at.story.call("PATCH", "/config", { supportedCurrencies });
    expect(set.status).toBe(200);
    await pull(at, MOST);
    await at.story.settle();
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: MOST, total: MOST });
    return at;
  }

  async function expectRefusesOneMore(at: Stage) {
    const { story, accountId } = at;
    const pulled = await pull(at, 1);
    await story.settle();
    expect(await finalOf(at, pulled.json.id)).toMatchObject({
      status: "FAILED",
      failureReason: "QUOTE_EXECUTION_FAILED",
    });
    const funded = await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
      amount: 1,
    });
    expect([funded.status, funded.json.code]).toEqual([400, "AMOUNT_OUT_OF_RANGE"]);
  }

  it("refuses further money", async () => {
    const at = await fullAccount();
    await expectRefusesOneMore(at);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: MOST, held: 0 });
  });

  it("refuses money in place of held money, which may come back", async () => {
    const at = await fullAccount();
    const silent = await bankAccount(at.story, { suffix: "005", customerId: at.customerId });
    const sent = await at.story.call("POST", "/transfer-out", {
      source: { accountId: at.accountId },
      destination: { accountId: silent },
      amount: MOST,
    });
    expect(sent.status).toBe(201);
    await expectRefusesOneMore(at);
    await advance(at.story, 30);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: MOST, held: 0 });
  });

  it("can be emptied and filled again", async () => {
    const at = await fullAccount();
    const destination = await bankAccount(at.story, { customerId: at.customerId });
    const sent = await at.story.call("POST", "/transfer-out", {
      source: { accountId: at.accountId },
      destination: { accountId: destination },
      amount: MOST,
    });
    expect(sent.json.sentAmount.amount).toBe(MOST);
    await at.story.settle();
    await fund(at.story, at.accountId, 1);
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: 1, held: 0 });
  });
});
