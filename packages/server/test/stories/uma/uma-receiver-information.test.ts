/** What the two platforms of a payment tell each other about sender and receiver, and what comes of a no. */
import { afterEach, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { type Funded, fundedCustomer, type Story } from "../../kit/story.ts";
import { advance } from "../../kit/story-money.ts";
import { askingFor, execute } from "../../kit/story-quotes.ts";
import { announce, answered, questionTo, transactionOf, umaStage } from "../../kit/story-uma.ts";

const SENT = 10_000;
const WANTED = [
  { name: "FULL_NAME", mandatory: true },
  { name: "NATIONALITY", mandatory: false },
];
/** As a platform answers: with one thing more than it was asked for. */
const TOLD = { FULL_NAME: "Eva Sol", NATIONALITY: "ES", TAX_ID: "not asked for" };
const KEPT = { FULL_NAME: "Eva Sol", NATIONALITY: "ES" };

const server = await sharedServer();
afterEach(endReceivers);

interface Sender extends Funded {
  readonly story: Story;
}

/** Of a platform that must know the names of those it pays in dollars. */
async function carefulSender(): Promise<Sender> {
  const story = await askingFor(server, WANTED);
  return { story, ...(await fundedCustomer(story)) };
}

async function pay(from: Sender, umaAddress: string) {
  const { story, accountId, customerId } = from;
  const path = `/receiver/uma/${encodeURIComponent(umaAddress)}?customerId=${customerId}`;
  const { lookupId } = (await story.call("GET", path)).json;
  const quote = await story.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: SENT,
    lookupId,
  });
  expect(quote.status, quote.text).toBe(201);
  expect((await execute(story, quote.json.id)).status).toBe(200);
  await story.settle();
  return quote.json;
}

/** The sender's job looks again after a second. */
async function ended({ story }: Sender, { id, transactionId }: Record<string, string>) {
  await advance(story, 2);
  const [quote, transaction] = await Promise.all([
    story.call("GET", `/quotes/${id}`),
    story.call("GET", `/transactions/${transactionId}`),
  ]);
  return { quote: quote.json, transaction: transaction.json };
}

describe("what a platform must know of a customer of another platform", () => {
  it("is asked with the payment, and shown to the sender once it is answered", async () => {
    const body = JSON.stringify({ receiverCustomerInfo: TOLD });
    const [from, to] = await Promise.all([
      carefulSender(),
      umaStage(server, { status: 200, body }),
    ]);
    const quote = await pay(from, to.umaAddress);
    expect(quote).not.toHaveProperty("counterpartyInformation");
    await answered(to);
    expect(questionTo(to).data.requestedReceiverCustomerInfoFields).toEqual(WANTED);
    const end = await ended(from, quote);
    expect(end.quote).toMatchObject({ status: "COMPLETED", counterpartyInformation: KEPT });
    expect(end.transaction).toMatchObject({ status: "COMPLETED", counterpartyInformation: KEPT });
    expect(end.quote.counterpartyInformation).toEqual(KEPT);
    expect(end.transaction.counterpartyInformation).toEqual(KEPT);
  });

  it("may come with the call that approves", async () => {
    const [from, to] = await Promise.all([carefulSender(), umaStage(server, 202)]);
    const quote = await pay(from, to.umaAddress);
    await answered(to);
    const { id } = questionTo(to).data;
    const approved = await to.story.call("POST", `/transactions/${id}/approve`, {
      receiverCustomerInfo: TOLD,
    });
    expect(approved.status).toBe(200);
    await to.story.settle();
    const end = await ended(from, quote);
    expect(end.transaction.counterpartyInformation).toEqual(KEPT);
  });

  it.each([
    ["a NUL", "Eva\\u0000Sol"],
    ["half a surrogate pair", "Eva \\ud800"],
  ])("is not given by a text with %s, which a call could not contain either", async (_, name) => {
    const body = `{"receiverCustomerInfo":{"FULL_NAME":"${name}"}}`;
    const [from, to] = await Promise.all([
      carefulSender(),
      umaStage(server, { status: 200, body }),
    ]);
    const quote = await pay(from, to.umaAddress);
    await answered(to);
    const end = await ended(from, quote);
    expect(end.quote.status).toBe("FAILED");
    expect(end.transaction).not.toHaveProperty("counterpartyInformation");
    expect((await transactionOf(to, questionTo(to).data.id)).failureReason).toBe(
      "MISSING_MANDATORY_PAYEE_DATA",
    );
  });

  it("fails the payment when it is missing", async () => {
    const [from, to] = await Promise.all([carefulSender(), umaStage(server, 200)]);
    const quote = await pay(from, to.umaAddress);
    await answered(to);
    const end = await ended(from, quote);
    expect(end.quote.status).toBe("FAILED");
    expect((await transactionOf(to, questionTo(to).data.id)).failureReason).toBe(
      "MISSING_MANDATORY_PAYEE_DATA",
    );
  });
});

describe("a platform that turns a payment away", () => {
  it("that rejects a payment tells the sender what it requires about them", async () => {
    const body = JSON.stringify({ requiredFields: ["TAX_ID", "BIRTH_DATE", "NONSENSE"] });
    const [from, to] = await Promise.all([
      carefulSender(),
      umaStage(server, { status: 422, body }),
    ]);
    const quote = await pay(from, to.umaAddress);
    await answered(to);
    const { transaction } = await ended(from, quote);
    expect(transaction).toMatchObject({
      status: "FAILED",
      requiredPayerDataFields: [
        { name: "TAX_ID", mandatory: true },
        { name: "BIRTH_DATE", mandatory: true },
      ],
    });
  });

  it("sees its own reason, said with 403 or by a call, in the transaction and in the event", async () => {
    const to = await umaStage(server, {
      status: 403,
      body: JSON.stringify({ code: "NO", reason: "RESTRICTED_JURISDICTION" }),
    });
    const { id } = (await announce(to)).json;
    await answered(to);
    const rejected = {
      status: "REJECTED",
      failureReason: "PAY_REQUEST_FAILED",
      rejectionReason: "RESTRICTED_JURISDICTION",
    };
    expect(await transactionOf(to, id)).toMatchObject(rejected);
    const events = await to.receiver.events();
    const failed = events.find(({ type }) => type === "INCOMING_PAYMENT.FAILED");
    expect(failed?.data).toMatchObject(rejected);

    const later = await umaStage(server, 202);
    const second = (await announce(later)).json.id;
    await answered(later);
    const call = await later.story.call("POST", `/transactions/${second}/reject`, {
      reason: "not ours",
    });
    expect(call.json).toMatchObject({ ...rejected, rejectionReason: "not ours" });
  });

  it("needs no reason", async () => {
    const to = await umaStage(server, 403);
    const { id } = (await announce(to)).json;
    await answered(to);
    const transaction = await transactionOf(to, id);
    expect(transaction.failureReason).toBe("PAY_REQUEST_FAILED");
    expect(transaction).not.toHaveProperty("rejectionReason");
  });
});
