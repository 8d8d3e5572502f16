import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import {
  type Funded,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { advance, holdingsOf, internalAccount, systemBalances } from "../../kit/story-money.ts";
import { execute } from "../../kit/story-quotes.ts";
import { answered, type UmaStage, umaStage } from "../../kit/story-uma.ts";
import { listenTo, type StoryReceiver } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const BALANCE = 200_000;
const SENT = 100_000;

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

interface Sender extends Funded {
  readonly story: Story;
  readonly receiver: StoryReceiver;
  readonly sandboxDomain: string;
}

async function sender(): Promise<Sender> {
  const story = await openStory(server);
  const funded = await fundedCustomer(story, BALANCE);
  const receiver = await listenTo(story);
  const { umaDomain } = (await story.call("GET", "/config")).json;
  return { story, ...funded, receiver, sandboxDomain: `sandbox.${umaDomain}` };
}

async function lookUp({ story, customerId }: Sender, address: string): Promise<RawAnswer> {
  return story.call(
    "GET",
    `/receiver/uma/${encodeURIComponent(address)}?customerId=${encodeURIComponent(customerId)}`,
  );
}

async function quoteTo(
  from: Sender,
  umaAddress: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<RawAnswer> {
  const { lookupId } = (await lookUp(from, umaAddress)).json;
  return from.story.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId: from.accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: SENT,
    lookupId,
    ...more,
  });
}

async function pay(from: Sender, umaAddress: string, more = {}) {
  const quote = await quoteTo(from, umaAddress, more);
  if (quote.status !== 201) throw new Error(quote.text);
  expect((await execute(from.story, quote.json.id)).status).toBe(200);
  await from.story.settle();
  return quote.json;
}

async function toldTypes({ receiver }: Pick<Sender, "receiver">): Promise<readonly string[]> {
  return (await receiver.events())
    .slice(1)
    .map(({ type }) => type.replace("OUTGOING_PAYMENT.", ""));
}

const BALANCE_TOLD = "INTERNAL_ACCOUNT.BALANCE_UPDATED";
const BEGUN = ["PENDING", "PROCESSING", BALANCE_TOLD];
const REFUNDED = ["FAILED", "REFUND_PENDING", "REFUND_COMPLETED", BALANCE_TOLD];

describe("a payment to a counterparty of the sandbox", () => {
  it.each([
    ["success.usd", "USD"],
    ["success.eur", "EUR"],
    ["success.mxn", "MXN"],
  ])("arrives at %s in %s", async (name, currency) => {
    const from = await sender();
    const address = `$${name}@${from.sandboxDomain}`;
    const quote = await pay(from, address);
    expect(quote).toMatchObject({
      destination: { destinationType: "UMA_ADDRESS", umaAddress: address, currency },
      receivingCurrency: { code: currency },
    });
    expect(await toldTypes(from)).toEqual([...BEGUN, "COMPLETED"]);
    const read = await from.story.call("GET", `/transactions/${quote.transactionId}`);
    expect(read.json.destination).toEqual({
      destinationType: "UMA_ADDRESS",
      umaAddress: address,
      currency,
    });
    const customer = await from.story.call("GET", `/customers/${from.customerId}`);
    const sent = encodeURIComponent(customer.json.umaAddress);
    for (const filter of ["senderAccountIdentifier", "accountIdentifier"]) {
      const { data } = (await from.story.call("GET", `/transactions?${filter}=${sent}`)).json;
      expect(data.map(({ id }: { id: string }) => id)).toEqual([quote.transactionId]);
    }
    const received = `/transactions?receiverAccountIdentifier=${sent}`;
    expect((await from.story.call("GET", received)).json.data).toEqual([]);
    const list = await from.story.call(
      "GET",
      `/quotes?receivingUmaAddress=${encodeURIComponent(address)}`,
    );
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([quote.id]);
  });

  it("is found by the sender's address in either case, and not by a letter that looks alike", async () => {
    const from = await sender();
    const path = `/customers/${from.customerId}`;
    const { umaDomain } = (await from.story.call("GET", "/config")).json;
    const umaAddress = `$kim@${umaDomain}`;
    await from.story.call("PATCH", path, { customerType: "INDIVIDUAL", umaAddress });
    await pay(from, `$success.usd@${from.sandboxDomain}`);
    for (const filter of ["/quotes?sendingUmaAddress", "/transactions?senderAccountIdentifier"]) {
      const countOf = async (name: string) => {
        const address = encodeURIComponent(`${name}@${umaDomain}`);
        return (await from.story.call("GET", `${filter}=${address}`)).json.totalCount;
      };
      expect([filter, await countOf("$KIM"), await countOf("$\u212aim")]).toEqual([filter, 1, 0]);
    }
  });

  it("takes long when it is to take long", async () => {
    const from = await sender();
    await pay(from, `$pending.long.usd@${from.sandboxDomain}`);
    expect(await toldTypes(from)).toEqual(BEGUN);
    await advance(from.story, 361);
    expect(await toldTypes(from)).toEqual([...BEGUN, "COMPLETED"]);
  });

  it("fails where compliance forbids it, and comes back whole", async () => {
    const from = await sender();
    const quote = await pay(from, `$fail.compliance.usd@${from.sandboxDomain}`);
    expect(await toldTypes(from)).toEqual([...BEGUN, ...REFUNDED]);
    const read = await from.story.call("GET", `/transactions/${quote.transactionId}`);
    expect(read.json).toMatchObject({ failureReason: "QUOTE_EXECUTION_FAILED" });
    expect(await holdingsOf(from.story, from.accountId)).toEqual({
      available: BALANCE,
      total: BALANCE,
    });
  });
});

describe("a quote to a UMA address is refused", () => {
  it("without a lookup, or with one that is not for it", async () => {
    const from = await sender();
    const address = `$success.eur@${from.sandboxDomain}`;
    const missing = await quoteTo(from, address, { lookupId: undefined });
    expect(missing.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(missing.json.details.errors).toMatchObject([{ field: "lookupId" }]);

    const other = (await lookUp(from, `$success.usd@${from.sandboxDomain}`)).json.lookupId;
    const stranger = await sender();
    const theirs = (await lookUp(stranger, `$success.eur@${stranger.sandboxDomain}`)).json.lookupId;
    const unknown = "Lookup:019a4f00-0000-7000-8000-0000000000ff";
    for (const lookupId of [other, theirs, unknown, "x"]) {
      const refused = await quoteTo(from, address, { lookupId });
      expect(refused.json).toMatchObject({ status: 404, code: "LOOKUP_REQUEST_NOT_FOUND" });
    }
  });

  it("when the lookup is more than ten minutes old", async () => {
    const from = await sender();
    const address = `$success.eur@${from.sandboxDomain}`;
    const { lookupId } = (await lookUp(from, address)).json;
    await advance(from.story, 599);
    expect((await quoteTo(from, address, { lookupId })).status).toBe(201);
    await advance(from.story, 2);
    const late = await quoteTo(from, address, { lookupId });
    expect(late.json.code).toBe("LOOKUP_REQUEST_NOT_FOUND");
  });

  it("for an unknown address, a currency that the receiver does not accept, and the sender's own address", async () => {
    const from = await sender();
    const address = `$success.eur@${from.sandboxDomain}`;
    const bad = { destinationType: "UMA_ADDRESS", umaAddress: "success.eur" };
    const none = await quoteTo(from, address, { destination: bad });
    expect(none.json).toMatchObject({ status: 400, code: "INVALID_UMA_ADDRESS" });
    const dollars = { destinationType: "UMA_ADDRESS", umaAddress: address, currency: "USD" };
    const wrong = await quoteTo(from, address, { destination: dollars });
    expect(wrong.json).toMatchObject({ status: 400, code: "INVALID_CURRENCY" });
    const self = await from.story.call("GET", `/customers/${from.customerId}`);
    const back = await quoteTo(from, self.json.umaAddress);
    expect(back.json).toMatchObject({ status: 400, code: "SELF_PAYMENT" });
  });
});

describe("a payment from one platform to a customer of another", () => {
  async function between(answer: Parameters<typeof umaStage>[1]) {
    const [from, to] = await Promise.all([sender(), umaStage(server, answer)]);
    const quote = await pay(from, to.umaAddress);
    await answered(to);
    return { from, to, quote };
  }

  /** The sender's job looks again after a second. */
  async function hear({ from }: { from: Sender }): Promise<void> {
    await advance(from.story, 2);
  }

  async function incoming(to: UmaStage) {
    const list = await to.story.call("GET", "/transactions?type=INCOMING");
    expect(list.json.data).toHaveLength(1);
    return list.json.data[0];
  }

  it("is approved and credited at the receiver, and completes at the sender", async () => {
    const at = await between({ status: 200, body: "{}" });
    await hear(at);
    const { from, to, quote } = at;
    expect(await toldTypes(from)).toEqual([...BEGUN, "COMPLETED"]);
    const received = await incoming(to);
    expect(received).toMatchObject({
      status: "COMPLETED",
      receivedAmount: { amount: quote.totalReceivingAmount, currency: { code: "USD" } },
      destination: { umaAddress: to.umaAddress },
    });
    const payer = await from.story.call("GET", `/customers/${from.customerId}`);
    expect(received.source).toEqual({
      sourceType: "UMA_ADDRESS",
      umaAddress: payer.json.umaAddress,
    });
    const id = quote.transactionId.slice("Transaction:".length).replaceAll("-", "");
    expect(received.reconciliationInstructions.reference).toBe(`UMA-${id.toUpperCase()}`);
    expect(await holdingsOf(to.story, to.accountId)).toMatchObject({
      available: quote.totalReceivingAmount,
    });
    expect(await systemBalances(to.story, "USD")).toEqual({
      "uma-clearing": -quote.totalReceivingAmount,
    });
  });

  it("is returned in full when the other platform rejects it", async () => {
    const at = await between({ status: 403, body: JSON.stringify({ reason: "NO" }) });
    await hear(at);
    const { from, to, quote } = at;
    expect((await incoming(to)).status).toBe("REJECTED");
    expect(await toldTypes(from)).toEqual([...BEGUN, ...REFUNDED]);
    const read = await from.story.call("GET", `/transactions/${quote.transactionId}`);
    expect(read.json).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "COMPLETED" },
    });
    expect(await holdingsOf(from.story, from.accountId)).toEqual({
      available: BALANCE,
      total: BALANCE,
    });
    expect(await systemBalances(to.story, "USD")).toEqual({});
  });

  it("stays under way here as long as it is undecided there, and is taken in once", async () => {
    const at = await between({ status: 202, body: "{}" });
    const { from, to } = at;
    for (let look = 0; look < 3; look++) await hear(at);
    expect(await toldTypes(from)).toEqual(BEGUN);
    const waiting = await incoming(to);
    expect(waiting.status).toBe("PENDING");
    const approved = await to.story.call("POST", `/transactions/${waiting.id}/approve`);
    expect(approved.status).toBe(200);
    await to.story.settle();
    await hear(at);
    expect(await toldTypes(from)).toEqual([...BEGUN, "COMPLETED"]);
    expect((await incoming(to)).status).toBe("COMPLETED");
  });

  it("fails here when the address has no customer any more", async () => {
    const [from, to] = await Promise.all([sender(), umaStage(server, 200)]);
    const quote = await quoteTo(from, to.umaAddress);
    await to.story.call("DELETE", `/customers/${to.customerId}`);
    await execute(from.story, quote.json.id);
    await from.story.settle();
    expect(await toldTypes(from)).toEqual([...BEGUN, ...REFUNDED]);
  });

  it("stays paid when the receiver changes its address before the outcome is recorded", async () => {
    const at = await between({ status: 200, body: "{}" });
    const { from, to } = at;
    const moved = await to.story.call("PATCH", `/customers/${to.customerId}`, {
      customerType: "INDIVIDUAL",
      umaAddress: to.umaAddress.replace("$", "$new-"),
    });
    expect(moved.status).toBe(200);
    await hear(at);
    expect(await toldTypes(from)).toEqual([...BEGUN, "COMPLETED"]);
  });

  it("keeps the first refusal: the receiver does not accept it later", async () => {
    const [from, to] = await Promise.all([sender(), umaStage(server, 200)]);
    const quote = await quoteTo(from, to.umaAddress);
    const { supportedCurrencies } = (await to.story.call("GET", "/config")).json;
    await to.story.call("PATCH", "/config", {
      supportedCurrencies: supportedCurrencies.map((each: { currencyCode: string }) =>
        each.currencyCode === "USD" ? { ...each, maxAmount: 10 } : each,
      ),
    });
    clock.stop();
    await execute(from.story, quote.json.id);
    clock.go();
    await from.story.settle();
    await to.story.call("PATCH", "/config", { supportedCurrencies });
    await advance(from.story, 10);
    expect(await toldTypes(from)).toEqual([...BEGUN, ...REFUNDED]);
    expect((await to.story.call("GET", "/transactions?type=INCOMING")).json.data).toEqual([]);
  });

  it("sends the requested information about the sender, and nothing else", async () => {
    const wanted = [
      { name: "FULL_NAME", mandatory: true },
      { name: "BIRTH_DATE", mandatory: false },
    ];
    const [from, to] = await Promise.all([sender(), umaStage(server, 200, wanted)]);
    const looked = await lookUp(from, to.umaAddress);
    expect(looked.json.requiredPayerDataFields).toEqual(wanted);
    const refused = await quoteTo(from, to.umaAddress);
    expect(refused.json).toMatchObject({
      status: 400,
      code: "MISSING_MANDATORY_USER_INFO",
      details: { missing: ["FULL_NAME"] },
    });
    const senderCustomerInfo = { FULL_NAME: "Ana María Ruiz", TAX_ID: "secret" };
    await pay(from, to.umaAddress, { senderCustomerInfo });
    await answered(to);
    expect((await incoming(to)).counterpartyInformation).toEqual({ FULL_NAME: "Ana María Ruiz" });
  });

  it("is converted into the currency that the receiver takes", async () => {
    const from = await sender();
    const to = await umaStage(server, 200);
    const customer = await to.story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Eva Sol",
      currencies: ["EUR"],
    });
    const quote = await pay(from, customer.json.umaAddress);
    expect(quote.totalReceivingAmount).toBe(91_704);
    await answered(to);
    await hear({ from });
    const customerId = customer.json.id;
    const account = await internalAccount(to.story, { customerId, currency: "EUR" });
    expect(await holdingsOf(to.story, account)).toMatchObject({ available: 91_704 });
  });
});
