import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { accountExamples } from "../../../src/domain/accounts/external/account-examples.ts";
import type { AccountType } from "../../../src/domain/accounts/external/account-types.ts";
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

const BALANCE = 10_000;
const AMOUNT = 2_500;

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
}

async function stage(suffix: string): Promise<Stage> {
  const story = await openStory(server);
  const funded = await fundedCustomer(story, BALANCE);
  const destination = await bankAccount(story, { suffix, customerId: funded.customerId });
  return { story, ...funded, destination, receiver: await listenTo(story) };
}

function send({ story, accountId, destination }: Stage, amount = AMOUNT) {
  return story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: destination },
    amount,
  });
}

/** The types that were told since the endpoint was set, its TEST left out. */
async function deliveredTypes({ receiver }: Stage): Promise<readonly string[]> {
  const [test, ...events] = await receiver.events();
  expect(test?.type).toBe("TEST");
  return events.map(({ type }) => type);
}

async function expectLastToldIsRead({ story, receiver }: Stage, transactionId: string) {
  const read = await story.call("GET", `/transactions/${transactionId}`);
  const delivered = (await receiver.events()).filter(({ data }) => data.id === transactionId);
  expect(delivered.at(-1)?.data).toEqual(read.json);
  return read.json;
}

async function expectBalanceToldIsRead({ story, receiver, accountId }: Stage, held: number) {
  const delivered = (await receiver.events()).filter(({ data }) => data.id === accountId);
  const last = delivered.at(-1)?.data;
  const holdings = await holdingsOf(story, accountId);
  expect(last.balance.amount).toBe(holdings.available);
  expect(await ledgerOf(story, accountId)).toEqual({ available: holdings.available, held });
  expect(holdings.total).toBe(holdings.available + held);
}

const HELD = ["OUTGOING_PAYMENT.PENDING", "INTERNAL_ACCOUNT.BALANCE_UPDATED"];
const REFUNDED = [
  "OUTGOING_PAYMENT.FAILED",
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
];

describe("a transfer out that succeeds", () => {
  it("is held at once, then leaves through the rail, and emits an event for every step", async () => {
    const at = await stage("789");
    const sent = await send(at);
    expect(sent.status).toBe(201);
    const usd = expect.objectContaining({ code: "USD", decimals: 2 });
    expect(sent.json).toEqual({
      id: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      status: "PENDING",
      type: "OUTGOING",
      direction: "DEBIT",
      paymentRail: "ACH",
      reference: expect.stringMatching(/^FL[0-9A-Z]{13}$/),
      source: { sourceType: "ACCOUNT", accountId: at.accountId, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: at.destination, currency: "USD" },
      customerId: at.customerId,
      platformCustomerId: at.platformCustomerId,
      sentAmount: { amount: AMOUNT, currency: usd },
      receivedAmount: { amount: AMOUNT, currency: usd },
      createdAt: sent.json.updatedAt,
      updatedAt: sent.json.createdAt,
    });
    await at.story.settle();

    expect(await deliveredTypes(at)).toEqual([
      ...HELD,
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
    const [, pending, held, processing] = await at.receiver.events();
    expect(pending?.data).toEqual(sent.json);
    expect(held?.data).toMatchObject({
      balance: { amount: BALANCE - AMOUNT },
      totalBalance: { amount: BALANCE },
    });
    expect(processing?.data).toMatchObject({ id: sent.json.id, status: "PROCESSING" });
    const completed = await expectLastToldIsRead(at, sent.json.id);
    expect(completed).toMatchObject({ status: "COMPLETED", settledAt: completed.updatedAt });
    expect(completed).not.toHaveProperty("failureReason");
    expect(completed).not.toHaveProperty("refund");
    await expectBalanceToldIsRead(at, 0);
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 7_500, total: 7_500 });
    expect(await systemBalances(at.story)).toEqual({
      "sandbox-funding": -BALANCE,
      "rail-clearing": AMOUNT,
    });
  });

  it("takes the last unit of an account and not one more", async () => {
    const at = await stage("789");
    expect((await send(at, BALANCE + 1)).json.code).toBe("INSUFFICIENT_BALANCE");
    expect((await send(at, BALANCE)).status).toBe(201);
    expect(await holdingsOf(at.story, at.accountId)).toMatchObject({ available: 0 });
    expect((await send(at, 1)).json.code).toBe("INSUFFICIENT_BALANCE");
    await at.story.settle();
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 0, total: 0 });
  });

  it("never takes more than there is, however many come at once", async () => {
    const at = await stage("789");
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(at, 1_500)));
    const codes = answers.map(({ status, json }) => (status === 201 ? "sent" : json.code));
    expect(codes.filter((code) => code === "sent")).toHaveLength(6);
    expect(codes.filter((code) => code === "INSUFFICIENT_BALANCE")).toHaveLength(44);
    await at.story.settle();
    expect(await holdingsOf(at.story, at.accountId)).toEqual({ available: 1_000, total: 1_000 });
  });

  it("is answered once under one idempotency key", async () => {
    const at = await stage("789");
    const body = {
      source: { accountId: at.accountId },
      destination: { accountId: at.destination },
      amount: AMOUNT,
    };
    const [first, ...again] = await Promise.all(
      Array.from({ length: 5 }, () =>
        at.story.call("POST", "/transfer-out", body, { key: "pay-1" }),
      ),
    );
    expect(first?.status).toBe(201);
    for (const answer of again) expect(answer.text).toBe(first?.text);
    expect(await ledgerOf(at.story, at.accountId)).toMatchObject({ available: BALANCE - AMOUNT });
    const other = await at.story.call(
      "POST",
      "/transfer-out",
      { ...body, amount: 1 },
      { key: "pay-1" },
    );
    expect([other.status, other.json.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  it("carries the rail and the remittance information that were asked for", async () => {
    const at = await stage("789");
    const sent = await at.story.call("POST", "/transfer-out", {
      source: { accountId: at.accountId },
      destination: { accountId: at.destination, paymentRail: "WIRE" },
      remittanceInformation: "Invoice 17 – für Möbel",
      amount: AMOUNT,
    });
    expect(sent.status).toBe(201);
    expect(sent.json.paymentRail).toBe("WIRE");
    await at.story.settle();
    expect(await expectLastToldIsRead(at, sent.json.id)).toMatchObject({ paymentRail: "WIRE" });
  });
});

describe("a transfer out that fails at once", () => {
  it.each([
    ["002", "QUOTE_EXECUTION_FAILED"],
    ["003", "COUNTERPARTY_POST_TX_FAILED"],
  ])(
    "by the ending %s has failed when it is answered, and no money moved",
    async (suffix, reason) => {
      const at = await stage(suffix);
      const sent = await send(at);
      expect(sent.status).toBe(201);
      expect(sent.json).toMatchObject({ status: "FAILED", failureReason: reason });
      expect(sent.json).not.toHaveProperty("refund");
      expect(sent.json).not.toHaveProperty("settledAt");
      await at.story.settle();
      await advance(at.story, 86_400);

      expect(await deliveredTypes(at)).toEqual([
        "OUTGOING_PAYMENT.PENDING",
        "OUTGOING_PAYMENT.FAILED",
      ]);
      const read = await expectLastToldIsRead(at, sent.json.id);
      expect(read).toEqual(sent.json);
      expect(await holdingsOf(at.story, at.accountId)).toEqual({
        available: BALANCE,
        total: BALANCE,
      });
      expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: BALANCE, held: 0 });
      expect(await systemBalances(at.story)).toEqual({ "sandbox-funding": -BALANCE });
    },
  );
});

describe("a transfer out that the bank rejects", () => {
  it("is accepted, fails, and is refunded", async () => {
    const at = await stage("004");
    const sent = await send(at);
    expect(sent.json.status).toBe("PENDING");
    await at.story.settle();

    expect(await deliveredTypes(at)).toEqual([...HELD, "OUTGOING_PAYMENT.PROCESSING", ...REFUNDED]);
    const delivered = (await at.receiver.events()).filter(({ data }) => data.id === sent.json.id);
    expect(delivered.map(({ data }) => [data.status, data.refund?.status])).toEqual([
      ["PENDING", undefined],
      ["PROCESSING", undefined],
      ["FAILED", undefined],
      ["FAILED", "PENDING"],
      ["FAILED", "COMPLETED"],
    ]);
    const read = await expectLastToldIsRead(at, sent.json.id);
    expect(read.failureReason).toBe("COUNTERPARTY_POST_TX_FAILED");
    expect(read.refund).toMatchObject({ status: "COMPLETED", reason: "TRANSACTION_FAILED" });
    await expectBalanceToldIsRead(at, 0);
    expect(await holdingsOf(at.story, at.accountId)).toEqual({
      available: BALANCE,
      total: BALANCE,
    });
    expect(await systemBalances(at.story)).toEqual({ "sandbox-funding": -BALANCE });
  });
});

describe("a transfer out without an outcome", () => {
  it("is still pending after 29 seconds and has timed out after 30", async () => {
    const at = await stage("005");
    clock.stop();
    const sent = await send(at);
    expect(sent.json.status).toBe("PENDING");
    await at.story.settle();
    expect(await deliveredTypes(at)).toEqual(HELD);
    await advance(at.story, 29);

    const waiting = await at.story.call("GET", `/transactions/${sent.json.id}`);
    expect(waiting.json).toEqual(sent.json);
    expect(await deliveredTypes(at)).toEqual(HELD);
    expect(await holdingsOf(at.story, at.accountId)).toEqual({
      available: BALANCE - AMOUNT,
      total: BALANCE,
    });
    expect(await ledgerOf(at.story, at.accountId)).toEqual({
      available: BALANCE - AMOUNT,
      held: AMOUNT,
    });
    expect(await systemBalances(at.story)).toMatchObject({ "in-flight": AMOUNT });

    await advance(at.story, 1);
    const read = await expectLastToldIsRead(at, sent.json.id);
    expect(read).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "COMPLETED", reason: "TIMEOUT" },
    });
    expect(Date.parse(read.updatedAt) - Date.parse(read.createdAt)).toBeGreaterThanOrEqual(30_000);
    expect(await deliveredTypes(at)).toEqual([...HELD, ...REFUNDED]);
    await expectBalanceToldIsRead(at, 0);
    expect(await holdingsOf(at.story, at.accountId)).toEqual({
      available: BALANCE,
      total: BALANCE,
    });
  });

  it("fails on time when the clock is moved at the very moment it is sent", async () => {
    const at = await stage("005");
    for (let round = 0; round < 5; round++) {
      const sent = await send(at, 100);
      await advance(at.story, 30);
      const read = await at.story.call("GET", `/transactions/${sent.json.id}`);
      expect(read.json.status).toBe("FAILED");
    }
    expect(await ledgerOf(at.story, at.accountId)).toEqual({ available: BALANCE, held: 0 });
  });
});

describe("a transfer out of the platform's own money", () => {
  it("belongs to the platform", async () => {
    const story = await openStory(server);
    const accountId = await internalAccount(story, { currency: "USD" });
    await fund(story, accountId, BALANCE);
    const sent = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: await bankAccount(story) },
      amount: AMOUNT,
    });
    expect(sent.status).toBe(201);
    expect(sent.json.customerId).toBe(`PlatformConfig:${story.platformId}`);
    await story.settle();
    expect((await story.call("GET", `/transactions/${sent.json.id}`)).json.status).toBe(
      "COMPLETED",
    );
    expect(await holdingsOf(story, accountId)).toEqual({ available: 7_500, total: 7_500 });
  });

  it("reaches no customer's account, while a customer's money can go to the platform's account", async () => {
    const story = await openStory(server);
    const funded = await fundedCustomer(story, BALANCE);
    const accountId = await internalAccount(story, { currency: "USD" });
    await fund(story, accountId, BALANCE);
    const theirs = await bankAccount(story, { customerId: funded.customerId });
    const refused = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: theirs },
      amount: AMOUNT,
    });
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    const sent = await story.call("POST", "/transfer-out", {
      source: { accountId: funded.accountId },
      destination: { accountId: await bankAccount(story) },
      amount: AMOUNT,
    });
    expect(sent.status).toBe(201);
  });
});

describe("a transfer out to an account of another type", () => {
  const evm = "0x4f3a120e72c76c22ae802d129f599bfdbc31c";
  const rows: readonly (readonly [AccountType, string, object, string])[] = [
    ["MXN_ACCOUNT", "MXN", { clabeNumber: "032180000118359002" }, "FAILED"],
    ["MXN_ACCOUNT", "MXN", { clabeNumber: "032180000118359102" }, "COMPLETED"],
    ["EUR_ACCOUNT", "EUR", { iban: "DE89370400440532013003" }, "FAILED"],
    ["EUR_ACCOUNT", "EUR", { iban: "DE89370400440532013004" }, "FAILED"],
    ["LIGHTNING", "BTC", { lightningAddress: "maya.002@wallet.example.com" }, "FAILED"],
    ["LIGHTNING", "BTC", { lightningAddress: "maya@wallet002.example.com" }, "COMPLETED"],
    ["BASE_WALLET", "USDC", { address: `${evm}002` }, "FAILED"],
    ["BASE_WALLET", "USDC", { address: `${evm}006` }, "COMPLETED"],
  ];

  it("ends by the last digits of its own identifier, and by those meant for transfers only", async () => {
    const story = await openStory(server);
    for (const [accountType, currency, change, status] of rows) {
      const accountId = await internalAccount(story, { currency });
      await fund(story, accountId, 100);
      const external = await story.call("POST", "/platform/external-accounts", {
        currency,
        accountInfo: { ...accountExamples[accountType], ...change },
      });
      const sent = await story.call("POST", "/transfer-out", {
        source: { accountId },
        destination: { accountId: external.json.id },
        amount: 1,
      });
      expect([change, sent.status]).toEqual([change, 201]);
      await story.settle();
      const read = await story.call("GET", `/transactions/${sent.json.id}`);
      expect([change, read.json.status]).toEqual([change, status]);
    }
  });
});
