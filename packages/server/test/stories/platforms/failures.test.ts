/** What a failed payment says of its failure, for each outcome that a sandbox's suffix chooses. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { advance, internalAccount } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute, sendFunds } from "../../kit/story-quotes.ts";
import { listenTo, type StoryReceiver } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const clock = createStoppableClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterEach(() => clock.go());
afterAll(() => server.close());

interface Made {
  readonly story: Story;
  readonly receiver: StoryReceiver;
  readonly transactionId: string;
}

/** The transaction once nothing is under way any more; its list entry and its last event say the same. */
async function endOf({ story, receiver, transactionId }: Made) {
  await story.settle();
  await advance(story, 400);
  await story.settle();
  const { json } = await story.call("GET", `/transactions/${transactionId}`);
  const listed = await story.call("GET", "/transactions");
  expect(listed.json.data).toContainEqual(json);
  const told = (await receiver.events()).filter(({ data }) => data.id === transactionId);
  expect(told.at(-1)?.data).toEqual(json);
  return json;
}

async function transferred(suffix: string, way: "out" | "in"): Promise<Made> {
  const story = await openStory(server);
  const { customerId, accountId } = await fundedCustomer(story);
  const outside = await bankAccount(story, { customerId, suffix });
  const receiver = await listenTo(story);
  const [source, destination] = way === "out" ? [accountId, outside] : [outside, accountId];
  const sent = await story.call("POST", `/transfer-${way}`, {
    source: { accountId: source },
    destination: { accountId: destination },
    amount: 500,
  });
  expect(sent.status).toBe(201);
  return { story, receiver, transactionId: sent.json.id };
}

async function quoted(suffix: string): Promise<Made> {
  const story = await openStory(server);
  const { customerId, accountId } = await fundedCustomer(story, 150_000);
  const to = await euroAccount(story, customerId, suffix);
  const receiver = await listenTo(story);
  const quote = await askQuote(story, { from: accountId, to });
  expect((await execute(story, quote.json.id)).status).toBe(200);
  return { story, receiver, transactionId: quote.json.transactionId };
}

const failureOf = (code: string, stage: string, suffix: string) => ({
  code,
  stage,
  message: expect.stringMatching(/^[A-Z].*\.$/),
  at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  rail: { scheme: "SANDBOX", code: suffix, text: expect.any(String) },
});

describe("a sandbox transfer", () => {
  it.each([
    ["002", "out", "INSUFFICIENT_FUNDS", "ACCEPTANCE", "QUOTE_EXECUTION_FAILED"],
    ["003", "out", "ACCOUNT_CLOSED", "ACCEPTANCE", "COUNTERPARTY_POST_TX_FAILED"],
    ["004", "out", "REJECTED_BY_BANK", "PAYOUT", "COUNTERPARTY_POST_TX_FAILED"],
    ["005", "out", "TIMED_OUT", "PAYOUT", "COUNTERPARTY_POST_TX_FAILED"],
    ["002", "in", "INSUFFICIENT_FUNDS", "ACCEPTANCE", "QUOTE_EXECUTION_FAILED"],
    ["003", "in", "ACCOUNT_CLOSED", "ACCEPTANCE", "COUNTERPARTY_POST_TX_FAILED"],
    ["004", "in", "REJECTED_BY_BANK", "COLLECTION", "COUNTERPARTY_POST_TX_FAILED"],
    ["005", "in", "TIMED_OUT", "COLLECTION", "COUNTERPARTY_POST_TX_FAILED"],
  ] as const)("by the ending %s, %s, fails with %s", async (suffix, way, code, stage, reason) => {
    const read = await endOf(await transferred(suffix, way));
    expect(read).toMatchObject({ status: "FAILED", failureReason: reason });
    expect(read.failure).toEqual(failureOf(code, stage, suffix));
    expect(Date.parse(read.failure.at)).toBeLessThanOrEqual(Date.parse(read.updatedAt));
  });

  it("that completes has no failure", async () => {
    const read = await endOf(await transferred("789", "out"));
    expect(read.status).toBe("COMPLETED");
    expect(read).not.toHaveProperty("failure");
  });
});

describe("a sandbox quote", () => {
  it.each([
    ["002", "QUOTE_FAILED", "PAYOUT", "FAILED", "COMPLETED"],
    ["004", "DELIVERY_FAILED", "PAYOUT", "FAILED", "COMPLETED"],
    ["005", "RETURNED_BY_BANK", "RETURN", "FAILED", "COMPLETED"],
    ["006", "CANCELLED", "PAYOUT", "COMPLETED", "COMPLETED"],
    ["007", "REFUND_FAILED", "REFUND", "FAILED", "FAILED"],
  ] as const)("by the ending %s ends with %s", async (suffix, code, stage, status, refund) => {
    const read = await endOf(await quoted(suffix));
    expect(read).toMatchObject({ status, refund: { status: refund } });
    expect(read.failure).toEqual(failureOf(code, stage, suffix));
  });

  it("whose refund has not failed yet has the failure of the payment", async () => {
    const made = await quoted("007");
    await endOf(made);
    const told = (await made.receiver.events()).filter(
      ({ data }) => data.id === made.transactionId,
    );
    expect(told.map(({ type, data }) => [type.split(".")[1], data.failure?.code])).toEqual([
      ["PENDING", undefined],
      ["PROCESSING", undefined],
      ["FAILED", "DELIVERY_FAILED"],
      ["REFUND_PENDING", "DELIVERY_FAILED"],
      ["REFUND_FAILED", "REFUND_FAILED"],
    ]);
  });

  it("that is funded with another amount, or not funded, has that failure", async () => {
    const story = await openStory(server);
    const { customerId } = await fundedCustomer(story, 0);
    const to = await euroAccount(story, customerId);
    const receiver = await listenTo(story);
    const body = {
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
      destination: { destinationType: "ACCOUNT", accountId: to },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 10_000,
    };
    const paid = (await story.call("POST", "/quotes", body)).json;
    const unpaid = (await story.call("POST", "/quotes", body)).json;
    await sendFunds(story, paid.id, { currencyAmount: 9_999 });
    const mismatch = await endOf({ story, receiver, transactionId: paid.transactionId });
    expect(mismatch.failure).toMatchObject({ code: "FUNDING_MISMATCH", stage: "COLLECTION" });
    const expired = await endOf({ story, receiver, transactionId: unpaid.transactionId });
    expect(expired).toMatchObject({
      status: "EXPIRED",
      failure: { code: "TIMED_OUT", stage: "ACCEPTANCE" },
    });
    expect(expired.failure).not.toHaveProperty("rail");
  });
});

describe("an agent's action", () => {
  it.each([
    ["002", "INSUFFICIENT_FUNDS"],
    ["004", "REJECTED_BY_BANK"],
  ])("says by the ending %s what its transaction says", async (suffix, code) => {
    const story = await openStory(server);
    const agent = await connectedAgent(story, { suffix });
    const made = await agent.pay(500);
    await story.settle();
    const action = (await agent.call("GET", `/actions/${made.json.id}`)).json;
    expect(action).toMatchObject({ status: "FAILED", failure: { code } });
    expect(action.failure).toEqual(action.transaction.failure);
    const listed = (await agent.call("GET", "/actions")).json.data[0];
    expect(listed.failure).toEqual(action.failure);
  });

  it("that a rule stopped has no failure of a payment", async () => {
    const story = await openStory(server);
    const agent = await connectedAgent(story, { funds: 100 });
    const { json } = await agent.pay(101);
    expect(json).toMatchObject({ status: "FAILED", failureReason: "INSUFFICIENT_BALANCE" });
    expect(json).not.toHaveProperty("failure");
  });
});

describe("a payment that failed before failures were recorded", () => {
  it("is answered without one", async () => {
    const { story, transactionId } = await transferred("003", "out");
    await server.database.asSuperuser((client) =>
      client.query("update transactions set failure = null, details = null where id = $1", [
        transactionId.replace("Transaction:", ""),
      ]),
    );
    const { json } = await story.call("GET", `/transactions/${transactionId}`);
    expect(json).toMatchObject({ failureReason: "COUNTERPARTY_POST_TX_FAILED" });
    for (const name of ["failure", "paymentRail", "reference"])
      expect(json).not.toHaveProperty(name);
  });
});

const REFERENCE = /^FL[0-9A-HJKMNP-TV-Z]{13}$/;

describe("the rail and the reference", () => {
  it("are named by a transfer out, the caller's rail or the first of the account", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story);
    const destination = await bankAccount(story, { customerId });
    const send = async (more: object) =>
      (
        await story.call("POST", "/transfer-out", {
          source: { accountId },
          destination: { accountId: destination, ...more },
          amount: 500,
        })
      ).json;
    const chosen = await send({ paymentRail: "WIRE" });
    const taken = await send({});
    expect([chosen.paymentRail, taken.paymentRail]).toEqual(["WIRE", "ACH"]);
    expect(chosen.reference).toMatch(REFERENCE);
    expect(taken.reference).toMatch(REFERENCE);
    expect(taken.reference).not.toBe(chosen.reference);
    await story.settle();
    const read = (await story.call("GET", `/transactions/${taken.id}`)).json;
    expect(read).toMatchObject({ status: "COMPLETED", reference: taken.reference });
  });

  it("are the same for a quote and its transaction", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story);
    const quote = await askQuote(story, {
      from: accountId,
      to: await euroAccount(story, customerId),
      amount: 1_000,
    });
    const { paymentRail, reference } = quote.json;
    expect([paymentRail, reference]).toEqual(["SEPA", expect.stringMatching(REFERENCE)]);
    const { json } = await story.call("GET", `/transactions/${quote.json.transactionId}`);
    expect(json).toMatchObject({ paymentRail, reference, direction: "DEBIT" });
  });

  it("of money that comes in is the rail alone", async () => {
    const made = await transferred("789", "in");
    const read = await endOf(made);
    expect(read).toMatchObject({ paymentRail: "ACH", direction: "CREDIT" });
    expect(read).not.toHaveProperty("reference");
    const accountId = await internalAccount(made.story, { currency: "USD" });
    await made.story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    const [funding] = (await made.story.call("GET", "/transactions")).json.data;
    expect(funding).toMatchObject({ direction: "CREDIT", paymentRail: "BOOK" });
  });
});

describe("the list of payments", () => {
  it("has those that failed for one reason, of one customer too, and their number", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story);
    const made = [];
    for (const suffix of ["002", "002", "003", "789"]) {
      const destination = { accountId: await bankAccount(story, { customerId, suffix }) };
      const order = { source: { accountId }, destination, amount: 100 };
      made.push((await story.call("POST", "/transfer-out", order)).json.id);
    }
    await story.settle();
    await advance(story, 400);
    await story.settle();
    const found = async (query: string) => {
      const { status, json } = await story.call("GET", `/transactions?${query}`);
      expect(status).toBe(200);
      expect(json.totalCount).toBe(json.data.length);
      return json.data.map(({ id }: { readonly id: string }) => id);
    };
    expect(await found("failureCode=INSUFFICIENT_FUNDS")).toEqual([made[1], made[0]]);
    const ofCustomer = `failureCode=ACCOUNT_CLOSED&customerId=${customerId}`;
    expect(await found(ofCustomer)).toEqual([made[2]]);
    expect(await found("failureCode=TIMED_OUT")).toEqual([]);
    const first = await story.call("GET", "/transactions?failureCode=INSUFFICIENT_FUNDS&limit=1");
    expect(first.json).toMatchObject({ hasMore: true, totalCount: 2 });
    const wrong = await story.call("GET", "/transactions?failureCode=BAD_LUCK");
    expect(wrong).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    const foreign = await openStory(server);
    const others = await foreign.call("GET", "/transactions?failureCode=INSUFFICIENT_FUNDS");
    expect(others.json.data).toEqual([]);
  });
});
