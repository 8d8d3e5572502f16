/** A platform is asked whether it takes a UMA payment: every answer it can give, and what it is told and booked after. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers, httpReceiver } from "../../kit/receivers.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import { openStory } from "../../kit/story.ts";
import { advance, holdingsOf, ledgerOf, systemBalances } from "../../kit/story-money.ts";
import {
  AMOUNT,
  announce,
  answered,
  deliveredTypes,
  questionTo,
  transactionOf,
  type UmaStage,
  umaStage,
} from "../../kit/story-uma.ts";
import { listenTo, type Reply } from "../../kit/story-webhooks.ts";
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

const NATIONALITY = [{ name: "NATIONALITY", mandatory: true }] as const;
const APPROVE = { receiverCustomerInfo: { NATIONALITY: "US" } };

async function expectNothingMoved({ story, accountId }: UmaStage): Promise<void> {
  expect(await holdingsOf(story, accountId)).toEqual({ available: 0, total: 0 });
  expect(await systemBalances(story)).toEqual({});
}

async function expectCredited({ story, accountId }: UmaStage, amount = AMOUNT): Promise<void> {
  expect(await holdingsOf(story, accountId)).toEqual({ available: amount, total: amount });
  expect(await ledgerOf(story, accountId)).toEqual({ available: amount, held: 0 });
  expect(await systemBalances(story)).toEqual({ "uma-clearing": -amount });
}

const COMPLETED = [
  "INCOMING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.COMPLETED",
  "INTERNAL_ACCOUNT.BALANCE_UPDATED",
];
const FAILED = ["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.FAILED"];

describe("a payment that the platform takes at once", () => {
  it("is posted with the bytes of the commit, credited, and followed by its events in order", async () => {
    const at = await umaStage(server, { status: 200, body: JSON.stringify(APPROVE) }, NATIONALITY);
    await expectNothingMoved(at);
    const announced = await announce(at);
    expect(announced.status).toBe(200);
    const usd = expect.objectContaining({ code: "USD", decimals: 2 });
    expect(announced.json).toEqual({
      id: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      status: "PENDING",
      type: "INCOMING",
      direction: "CREDIT",
      paymentRail: "UMA",
      source: { sourceType: "UMA_ADDRESS", umaAddress: `$success.usd@${at.sandboxDomain}` },
      destination: {
        destinationType: "UMA_ADDRESS",
        umaAddress: at.umaAddress,
        currency: "USD",
      },
      customerId: at.customerId,
      platformCustomerId: at.platformCustomerId,
      receivedAmount: { amount: AMOUNT, currency: usd },
      counterpartyInformation: { NATIONALITY: "US" },
      rateDetails: {
        serviceApiMultiplier: 0.0001,
        serviceApiFixedFee: 0,
        serviceApiVariableFeeRate: 0,
        serviceApiVariableFeeAmount: 0,
      },
      reconciliationInstructions: { reference: expect.stringMatching(/^UMA-[0-9A-F]{16}$/) },
      createdAt: announced.json.updatedAt,
      updatedAt: announced.json.createdAt,
    });
    await answered(at);

    const question = questionTo(at);
    expect(question.data).toEqual({
      ...announced.json,
      requestedReceiverCustomerInfoFields: NATIONALITY,
    });
    const { rows } = await server.database.asSuperuser((client) =>
      client.query("select body, seq from events where platform_id = $1 and type = $2", [
        at.story.platformId,
        "INCOMING_PAYMENT.PENDING",
      ]),
    );
    expect(rows).toEqual([{ body: question.body, seq: String(question.sequence) }]);
    expect(await deliveredTypes(at)).toEqual(COMPLETED);
    const read = await transactionOf(at, announced.json.id);
    expect(read).toEqual({
      ...announced.json,
      status: "COMPLETED",
      settledAt: read.updatedAt,
      updatedAt: read.updatedAt,
    });
    const [, , completed, updated] = await at.receiver.events();
    expect(completed?.data).toEqual(read);
    expect(updated?.data).toMatchObject({ id: at.accountId, balance: { amount: AMOUNT } });
    await expectCredited(at);
  });

  it("is found by the addresses of both sides and by its reference", async () => {
    const at = await umaStage(server, 200);
    const { id, source, reconciliationInstructions } = (await announce(at)).json;
    await answered(at);
    for (const query of [
      { senderAccountIdentifier: source.umaAddress },
      { receiverAccountIdentifier: at.umaAddress },
      { receiverAccountIdentifier: at.accountId },
      { accountIdentifier: at.umaAddress.toUpperCase() },
      { reference: reconciliationInstructions.reference },
    ]) {
      const list = await at.story.call("GET", `/transactions?${new URLSearchParams(query)}`);
      expect([query, list.json.data.map((one: { id: string }) => one.id)]).toEqual([query, [id]]);
    }
  });

  it.each([
    ["a text", "thanks"],
    ["nothing", ""],
    ["JSON of another sort", "[1]"],
  ])("needs no unrequested data: %s", async (_, body) => {
    const at = await umaStage(server, { status: 200, body });
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(questionTo(at).data.requestedReceiverCustomerInfoFields).toEqual([]);
    expect(await transactionOf(at, id)).toMatchObject({ status: "COMPLETED" });
    await expectCredited(at);
  });
});

interface Row {
  readonly name: string;
  readonly reply: Reply;
  readonly status?: string;
  readonly failureReason?: string;
}

const ERROR = "PAYMENT_APPROVAL_WEBHOOK_ERROR";
const MISSING = "MISSING_MANDATORY_PAYEE_DATA";
const said = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });

/** One of each kind; all of them: src/jobs/uma/approval-answer.test.ts, src/domain/uma/decide-payment.test.ts. */
const refusing: readonly Row[] = [
  { name: "500", reply: 500, failureReason: ERROR },
  { name: "a broken connection", reply: "hang up", failureReason: ERROR },
  {
    name: "403",
    reply: said(403, { code: "NO", message: "no", reason: "RESTRICTED_JURISDICTION" }),
    status: "REJECTED",
    failureReason: "PAY_REQUEST_FAILED",
  },
  {
    name: "422",
    reply: said(422, { code: "MORE", message: "more", requiredFields: ["TAX_ID", "__proto__", 7] }),
    failureReason: "PAY_REQUEST_FAILED",
  },
  { name: "200 without mandatory data", reply: 200, failureReason: MISSING },
  ...["", "  "].map((NATIONALITY) => ({
    name: `200 and "${NATIONALITY}"`,
    reply: said(200, { receiverCustomerInfo: { NATIONALITY } }),
    failureReason: MISSING,
  })),
  {
    name: "200 and more than is read",
    reply: said(200, { ...APPROVE, padding: "x".repeat(20_000) }),
    failureReason: ERROR,
  },
];

describe("an answer that does not take the payment", () => {
  it.each(refusing)("ends it: $name", async ({ reply, status = "FAILED", failureReason }) => {
    const at = await umaStage(server, reply, NATIONALITY);
    const { id } = (await announce(at)).json;
    await answered(at);
    const read = await transactionOf(at, id);
    expect(read.status).toBe(status);
    expect(read.failureReason).toBe(failureReason);
    expect(await deliveredTypes(at)).toEqual(FAILED);
    expect((await at.receiver.events()).at(-1)?.data).toEqual(read);
    questionTo(at);
    await advance(at.story, 60);
    expect(await transactionOf(at, id)).toEqual(read);
    await expectNothingMoved(at);
  });

  it("with 410 also stops the deliveries: the payment's events go to the endpoint that is set next", async () => {
    const at = await umaStage(server, 410, NATIONALITY);
    // Its own TEST has gone out: it would come before what is told next.
    await at.receiver.events();
    const { id } = (await announce(at)).json;
    await answered(at);
    const read = await transactionOf(at, id);
    expect(read).toMatchObject({ status: "FAILED", failureReason: ERROR });
    await advance(at.story, 60);
    expect((await at.receiver.events()).at(-1)?.type).toBe("INCOMING_PAYMENT.PENDING");
    const next = await listenTo(at.story);
    const delivered = await next.events();
    expect(delivered.map(({ type }) => type)).toEqual(["INCOMING_PAYMENT.FAILED", "TEST"]);
    expect(delivered[0]?.data).toEqual(read);
    await expectNothingMoved(at);
  });

  it("is not followed to another address", async () => {
    let visits = 0;
    const elsewhere = await httpReceiver((_request, response) => {
      visits++;
      response.writeHead(200).end();
    });
    const at = await umaStage(server, { status: 307, headers: { location: elsewhere.url } });
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "FAILED", failureReason: ERROR });
    expect(visits).toBe(0);
    await expectNothingMoved(at);
  });

  it("keeps what the platform said for the sender's institution", async () => {
    const reply = said(422, { requiredFields: ["TAX_ID", "TAX_ID", "NOBODY_KNOWS"] });
    const more = await umaStage(server, reply);
    const no = await umaStage(server, said(403, { reason: `no\u0000 ${"x".repeat(600)}` }));
    const ids = await Promise.all(
      [more, no].map(async (at) => (await announce(at)).json.id.split(":")[1]),
    );
    await answered(more);
    await answered(no);
    const { rows } = await server.database.asSuperuser((client) =>
      client.query(
        "select decision, reason, missing_fields from payment_approvals where id = any($1) order by decision",
        [ids],
      ),
    );
    expect(rows).toEqual([
      { decision: "FAILED", reason: null, missing_fields: ["TAX_ID"] },
      {
        decision: "REJECTED",
        reason: expect.stringMatching(/^no {2}x{496}$/),
        missing_fields: null,
      },
    ]);
  });
});

describe("a platform without a webhook endpoint that answers", () => {
  it("because it has no endpoint, gets no event and no money", async () => {
    const story = await openStory(server);
    const customer = await story.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const { umaDomain } = (await story.call("GET", "/config")).json;
    const before = await eventCount(story.platformId);
    const announced = await story.call("POST", "/sandbox/uma/receive", {
      senderUmaAddress: `$success.usd@sandbox.${umaDomain}`,
      customerId: customer.json.id,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: AMOUNT,
    });
    expect(announced.json).toMatchObject({ status: "FAILED", failureReason: ERROR });
    expect(await eventCount(story.platformId)).toBe(before);
    expect(await systemBalances(story)).toEqual({});
  });

  it("because its port is closed, gets no money", async () => {
    const at = await umaStage(server, 200);
    await at.receiver.events();
    await endReceivers();
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "FAILED", failureReason: ERROR });
    await expectNothingMoved(at);
  });

  it("because its endpoint answered 410, gets no money", async () => {
    let status = 410;
    const at = await umaStage(server, () => 200);
    const gone = await httpReceiver((_request, response) => response.writeHead(status).end());
    await at.story.call("PATCH", "/config", { webhookEndpoint: gone.url });
    await server.app.deliveries.settled(at.story.platformId);
    status = 200;
    const { id } = (await announce(at)).json;
    await answered(at);
    expect(await transactionOf(at, id)).toMatchObject({ status: "FAILED", failureReason: ERROR });
    await expectNothingMoved(at);
  });
});

async function eventCount(platformId: string): Promise<number> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select count(*)::int4 as n from events where platform_id = $1", [platformId]),
  );
  return rows[0].n;
}
