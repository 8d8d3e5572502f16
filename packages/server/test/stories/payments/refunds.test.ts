import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type {
  PaymentRail,
  RailAnswer,
  RailRules,
} from "../../../src/domain/payments/transfers/payment-rail.port.ts";
import { endReceivers } from "../../kit/receivers.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { holdingsOf, internalAccount, ledgerOf, rowCounts } from "../../kit/story-money.ts";
import { announce, answered, umaStage } from "../../kit/story-uma.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const AMOUNT = 2_500;
const UNKNOWN = "Transaction:019a4f00-0000-7000-8000-0000000000ee";

/** A rail that settles what it pulls, and answers payouts as the test says, after the test has let it answer. */
const bank = {
  answer: { kind: "settled" } as RailAnswer,
  gate: Promise.resolve(),
  failsAtOnce: false,
  open: () => {},
  shut() {
    bank.gate = new Promise((resolve) => {
      bank.open = resolve;
    });
  },
};
const rail: PaymentRail & RailRules = {
  name: "bank",
  failureAtOnce: () =>
    bank.failsAtOnce ? { failureReason: "COUNTERPARTY_POST_TX_FAILED" } : undefined,
  async send({ direction }) {
    if (direction === "in") return { kind: "settled" };
    await bank.gate;
    return bank.answer;
  },
  inquire: (instruction, at) => rail.send(instruction, at),
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ productionRail: rail });
});
afterEach(() => {
  bank.open();
  bank.answer = { kind: "settled" };
  bank.failsAtOnce = false;
  return endReceivers();
});
afterAll(() => server.close());

interface Stage {
  readonly story: Story;
  readonly payer: Funded;
  readonly payee: Funded;
  /** The payee's transaction. */
  readonly incomingId: string;
}

/** A book transfer from one customer to another. */
async function booked(amount = AMOUNT): Promise<Stage> {
  const story = await openStory(server);
  const payer = await fundedCustomer(story, 10_000);
  const payee = await fundedCustomer(story, 0);
  const paid = await story.call("POST", "/transfers", {
    source: { accountId: payer.accountId },
    destination: { accountId: payee.accountId },
    amount,
  });
  return { story, payer, payee, incomingId: paid.json.counterpartTransactionId };
}

interface Pulled {
  readonly story: Story;
  readonly accountId: string;
  readonly bank: string;
  readonly incomingId: string;
}

/** A completed transfer in of a production platform, whose payouts wait until `bank` opens. */
async function pulled(amount = AMOUNT): Promise<Pulled> {
  const story = await openStory(server, { environment: "PRODUCTION" });
  const accountId = await internalAccount(story, { currency: "USD" });
  const outside = await bankAccount(story);
  const body = { source: { accountId: outside }, destination: { accountId }, amount };
  const incoming = await story.call("POST", "/transfer-in", body);
  await story.settle();
  bank.shut();
  return { story, accountId, bank: outside, incomingId: incoming.json.id };
}

function refund(story: Story, id: string, body: object = {}, options?: object) {
  const wish = { reason: "REQUESTED_BY_PAYER", ...body };
  return story.call("POST", `/transactions/${id}/refund`, wish, options);
}

const usd = (amount: number) => ({ amount, currency: expect.objectContaining({ code: "USD" }) });

async function typesAbout(story: Story, id: string): Promise<readonly string[]> {
  const { json } = await story.call("GET", `/events?resourceId=${id}&sortOrder=asc&limit=50`);
  return json.data.map(({ type }: { readonly type: string }) => type);
}

describe("a refund of a book transfer", () => {
  it("moves the money back at once, in parts, until all of it was given back", async () => {
    const { story, payer, payee, incomingId } = await booked();
    const part = await refund(story, incomingId, { amount: 1_000, note: "One of two items" });
    expect(part.status).toBe(201);
    expect(part.json).toMatchObject({
      type: "OUTGOING",
      status: "COMPLETED",
      customerId: payee.customerId,
      source: { accountId: payee.accountId },
      destination: { accountId: payer.accountId },
      sentAmount: usd(1_000),
      refundOf: incomingId,
      refundReason: "REQUESTED_BY_PAYER",
      description: "One of two items",
      counterpartTransactionId: expect.stringMatching(/^Transaction:/),
    });
    const partly = await story.call("GET", `/transactions/${incomingId}`);
    expect(partly.json).toMatchObject({ status: "COMPLETED", refundedAmount: usd(1_000) });
    expect(partly.json.refundPendingAmount).toBeUndefined();

    const rest = await refund(story, incomingId);
    expect(rest.json).toMatchObject({ status: "COMPLETED", sentAmount: usd(AMOUNT - 1_000) });
    const whole = await story.call("GET", `/transactions/${incomingId}`);
    expect(whole.json).toMatchObject({ status: "REFUNDED", refundedAmount: usd(AMOUNT) });
    expect((await holdingsOf(story, payer.accountId)).available).toBe(10_000);
    expect((await holdingsOf(story, payee.accountId)).available).toBe(0);
    expect(await typesAbout(story, incomingId)).toEqual([
      "INCOMING_PAYMENT.COMPLETED",
      "INCOMING_PAYMENT.REFUND_COMPLETED",
      "INCOMING_PAYMENT.REFUND_COMPLETED",
    ]);
  });

  it("never gives back more than was received, with 32 at once", async () => {
    const { story, payer, payee, incomingId } = await booked(1_000);
    await story.call("POST", `/sandbox/internal-accounts/${payee.accountId}/fund`, {
      amount: 9_000,
    });
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => refund(story, incomingId, { amount: 100 })),
    );
    const codes = answers.map(({ status, json }) => (status === 201 ? 201 : json.code));
    expect(codes.filter((code) => code === 201)).toHaveLength(10);
    expect(codes.filter((code) => code === "CONFLICT")).toHaveLength(22);
    expect((await holdingsOf(story, payer.accountId)).available).toBe(10_000);
  });

  it("can itself be refunded by its receiver", async () => {
    const { story, payer, incomingId } = await booked();
    const back = await refund(story, incomingId);
    const again = await refund(story, back.json.counterpartTransactionId, { reason: "OTHER" });
    expect(again).toMatchObject({ status: 201, json: { customerId: payer.customerId } });
  });

  it("is made once under one key", async () => {
    const { story, payer, incomingId } = await booked();
    const options = { key: "refund-1" };
    const first = await refund(story, incomingId, { amount: 500 }, options);
    const second = await refund(story, incomingId, { amount: 500 }, options);
    expect(second.text).toBe(first.text);
    expect((await holdingsOf(story, payer.accountId)).available).toBe(10_000 - AMOUNT + 500);
  });
});

describe("a refund of a transfer in", () => {
  it("is paid out to the account that the money came from", async () => {
    const { story, accountId, bank: outside, incomingId } = await pulled();
    const given = await refund(story, incomingId, { amount: 600, reason: "WRONG_AMOUNT" });
    expect(given).toMatchObject({
      status: 201,
      json: {
        status: "PENDING",
        type: "OUTGOING",
        destination: { accountId: outside },
        refundOf: incomingId,
        refundReason: "WRONG_AMOUNT",
        reference: expect.stringMatching(/^FL/),
      },
    });
    expect(await ledgerOf(story, accountId)).toEqual({ available: AMOUNT - 600, held: 600 });
    const before = await story.call("GET", `/transactions/${incomingId}`);
    expect(before.json).toMatchObject({ status: "COMPLETED", refundPendingAmount: usd(600) });
    expect(before.json.refundedAmount).toBeUndefined();

    bank.open();
    await story.settle();
    const after = await story.call("GET", `/transactions/${incomingId}`);
    expect(after.json).toMatchObject({ status: "COMPLETED", refundedAmount: usd(600) });
    await refund(story, incomingId);
    await story.settle();
    const whole = await story.call("GET", `/transactions/${incomingId}`);
    expect(whole.json).toMatchObject({ status: "REFUNDED", refundedAmount: usd(AMOUNT) });
    expect(await ledgerOf(story, accountId)).toEqual({ available: 0, held: 0 });
    expect(await typesAbout(story, incomingId)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.COMPLETED",
      "INCOMING_PAYMENT.REFUND_PENDING",
      "INCOMING_PAYMENT.REFUND_COMPLETED",
      "INCOMING_PAYMENT.REFUND_PENDING",
      "INCOMING_PAYMENT.REFUND_COMPLETED",
    ]);
  });

  it("that the rail declines puts the money back, and can be asked for again", async () => {
    const { story, accountId, incomingId } = await pulled();
    bank.answer = {
      kind: "declined",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refundReason: "TRANSACTION_FAILED",
      wasAccepted: false,
    };
    const given = await refund(story, incomingId);
    bank.open();
    await story.settle();
    const ended = await story.call("GET", `/transactions/${given.json.id}`);
    expect(ended.json).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } });
    const after = await story.call("GET", `/transactions/${incomingId}`);
    expect(after.json.status).toBe("COMPLETED");
    expect(after.json.refundedAmount).toBeUndefined();
    expect(after.json.refundPendingAmount).toBeUndefined();
    expect(await ledgerOf(story, accountId)).toEqual({ available: AMOUNT, held: 0 });
    expect((await typesAbout(story, incomingId)).slice(-2)).toEqual([
      "INCOMING_PAYMENT.REFUND_PENDING",
      "INCOMING_PAYMENT.REFUND_FAILED",
    ]);
    expect((await refund(story, incomingId)).status).toBe(201);
  });

  it("counts what is on its way: the rest alone can be refunded", async () => {
    const { story, incomingId } = await pulled();
    expect((await refund(story, incomingId, { amount: AMOUNT - 1 })).status).toBe(201);
    const more = await refund(story, incomingId, { amount: 2 });
    expect(more).toMatchObject({
      status: 400,
      json: { code: "AMOUNT_OUT_OF_RANGE", details: { refundable: 1, currency: "USD" } },
    });
    expect((await refund(story, incomingId)).json).toMatchObject({ sentAmount: usd(1) });
    expect(await refund(story, incomingId)).toMatchObject({
      status: 400,
      json: { code: "AMOUNT_OUT_OF_RANGE", details: { refundable: 0 } },
    });
  });

  it("that the rail refuses at once is not on its way", async () => {
    const { story, accountId, incomingId } = await pulled();
    bank.failsAtOnce = true;
    const given = await refund(story, incomingId);
    expect(given).toMatchObject({ status: 201, json: { status: "FAILED" } });
    const after = await story.call("GET", `/transactions/${incomingId}`);
    expect(after.json.status).toBe("COMPLETED");
    expect(after.json.refundPendingAmount).toBeUndefined();
    expect(await ledgerOf(story, accountId)).toEqual({ available: AMOUNT, held: 0 });
    bank.failsAtOnce = false;
    expect((await refund(story, incomingId)).json).toMatchObject({ status: "PENDING" });
  });
});

describe("a refund in a sandbox", () => {
  it("fails to an account that ends in 007, which transfers reach", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story, 0);
    const from = await bankAccount(story, { suffix: "007", customerId });
    const body = { source: { accountId: from }, destination: { accountId }, amount: AMOUNT };
    const incoming = await story.call("POST", "/transfer-in", body);
    await story.settle();
    const given = await refund(story, incoming.json.id);
    expect(given.status).toBe(201);
    await story.settle();
    const ended = await story.call("GET", `/transactions/${given.json.id}`);
    expect(ended.json).toMatchObject({ status: "FAILED", failure: { code: "REFUND_FAILED" } });
    expect((await holdingsOf(story, accountId)).available).toBe(AMOUNT);
  });
});

describe("a refund that is not made", () => {
  it("is refused with its reason, and leaves nothing behind", async () => {
    const { story, payee, payer, incomingId } = await booked();
    const { accountId, customerId } = payee;
    const [outgoing] = (await story.call("GET", "/transactions?type=OUTGOING")).json.data;
    const funded = await story.call("GET", `/transactions?customerId=${payer.customerId}`);
    const fundingId = funded.json.data.find(
      ({ type }: { readonly type: string }) => type === "INCOMING",
    ).id;
    const foreign = await booked();
    await story.call("POST", "/transfers", {
      source: { accountId },
      destination: { accountId: payer.accountId },
      amount: 2_000,
    });
    const counts = await rowCounts(story);
    const rows: readonly (readonly [string, object, number, string, string?])[] = [
      [UNKNOWN, {}, 404, "TRANSACTION_NOT_FOUND"],
      [foreign.incomingId, {}, 404, "TRANSACTION_NOT_FOUND"],
      ["x", {}, 404, "TRANSACTION_NOT_FOUND"],
      [outgoing.id, {}, 409, "CONFLICT", "only an INCOMING one"],
      [incomingId, { amount: AMOUNT + 1 }, 400, "AMOUNT_OUT_OF_RANGE", "can still be refunded"],
      [fundingId, {}, 501, "NOT_IMPLEMENTED", "did not come from an account"],
      [incomingId, { amount: 501 }, 400, "INSUFFICIENT_BALANCE", "available"],
      [incomingId, { amount: 0 }, 400, "INVALID_AMOUNT"],
      [incomingId, { amount: "5" }, 400, "INVALID_AMOUNT"],
      [incomingId, { reason: "BORED" }, 400, "INVALID_INPUT", "reason"],
      [incomingId, { reason: undefined }, 400, "INVALID_INPUT", "reason"],
      [incomingId, { note: "x".repeat(501) }, 400, "INVALID_INPUT", "note"],
    ];
    for (const [id, body, status, code, said = ""] of rows) {
      const answer = await refund(story, id, body);
      const seen = `${id} ${JSON.stringify(body).slice(0, 60)}: ${answer.text}`;
      expect([answer.status, answer.json.code], seen).toEqual([status, code]);
      expect(answer.text, seen).toContain(said);
    }
    expect(await rowCounts(story)).toEqual(counts);

    await story.call("POST", `/internal-accounts/${accountId}/freeze`, { reason: "OTHER" });
    const frozen = await refund(story, incomingId, { amount: 1 });
    expect(frozen).toMatchObject({ status: 409, json: { code: "ACCOUNT_FROZEN" } });
    await story.call("POST", `/internal-accounts/${accountId}/unfreeze`);
    await story.call("POST", `/customers/${customerId}/freeze`, { reason: "OTHER" });
    const held = await refund(story, incomingId, { amount: 1 });
    expect(held).toMatchObject({ status: 409, json: { code: "CUSTOMER_FROZEN" } });
  });

  it("is refused once all of it was given back", async () => {
    const { story, incomingId } = await booked();
    await refund(story, incomingId);
    const again = await refund(story, incomingId);
    expect(again).toMatchObject({ status: 409, json: { details: { status: "REFUNDED" } } });
  });

  it("is refused when the account that paid was deleted, and before the money has arrived", async () => {
    const { story, bank: outside, accountId, incomingId } = await pulled();
    const silent = await openStory(server);
    const { accountId: to, customerId } = await fundedCustomer(silent, 0);
    const from = await bankAccount(silent, { suffix: "005", customerId });
    const body = { source: { accountId: from }, destination: { accountId: to }, amount: 5 };
    const waiting = await silent.call("POST", "/transfer-in", body);
    const early = await refund(silent, waiting.json.id);
    expect(early).toMatchObject({ status: 409, json: { details: { status: "PENDING" } } });

    await story.call("DELETE", `/platform/external-accounts/${outside}`);
    const gone = await refund(story, incomingId, { amount: 1 });
    expect(gone).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    expect(gone.text).toContain("was deleted");
    expect(await ledgerOf(story, accountId)).toEqual({ available: AMOUNT, held: 0 });
  });

  it("is not made for money from a UMA address, whose sender is named", async () => {
    const stage = await umaStage(server, 200);
    const announced = await announce(stage);
    await answered(stage);
    const incoming = await stage.story.call("GET", `/transactions/${announced.json.id}`);
    expect(incoming.json.status).toBe("COMPLETED");
    const answer = await refund(stage.story, announced.json.id);
    expect(answer).toMatchObject({ status: 501, json: { code: "NOT_IMPLEMENTED" } });
    expect(answer.text).toContain("with a quote instead");
  });
});
