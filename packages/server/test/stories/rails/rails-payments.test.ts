/** Payments that a connector carries: what each report does, what silence does not, and what is left to people. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ConnectorReply,
  openConnector,
  type ReceivedCall,
  signedCallback,
  type TestConnector,
} from "../../kit/rail-connector.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  eventsAbout,
  expectStatus,
  httpConnection,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
let connectionId: string;
let accountId: string;
let payeeId: string;
beforeAll(async () => {
  connector = await openConnector();
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
/** A sandbox platform, whose clock can be moved: its routed payments are carried like those of production. */
beforeEach(async () => {
  connector.environment = "SANDBOX";
  connector.reply = () => undefined;
  connector.report = () => ({ status: "accepted" });
  connector.calls.length = 0;
  story = await openStory(server);
  const customer = await fundedCustomer(story, 10_000);
  accountId = customer.accountId;
  payeeId = await bankAccount(story, { customerId: customer.customerId });
  connectionId = await activeConnection(story, httpConnection(connector));
  await routeTo(story, connectionId);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

async function pay(amount = 700, more: Readonly<Record<string, unknown>> = {}) {
  const body = { source: { accountId }, destination: { accountId: payeeId }, amount, ...more };
  return expectStatus(201, await story.call("POST", "/transfer-out", body)).json.id as string;
}

/** Pays, and runs what is due. */
async function paid(amount = 700): Promise<string> {
  const id = await pay(amount);
  await story.settle();
  return id;
}

async function pass(seconds: number): Promise<void> {
  expectStatus(200, await story.call("POST", "/sandbox/clock/advance", { seconds }));
}

const callsOf = (method: string) =>
  connector.calls.filter((call) => call.method === method && call.path !== "/florin-rail");
const mark = (payment: { readonly id: string }, outcome: string, more = {}) =>
  story.call("POST", `/rails/payments/${payment.id}/mark`, { outcome, ...more });

describe("an order", () => {
  it("carries what the commit fixed, and amounts as text", async () => {
    const id = await pay(700, { remittanceInformation: "Invoice 7" });
    await story.settle();
    const payment = await paymentOf(story, id);
    const { body } = callsOf("PUT")[0] as ReceivedCall;
    expect(body).toMatchObject({
      id: payment.id.slice("RailPayment:".length),
      direction: "OUT",
      currency: "USD",
      decimals: 2,
      amount: "700",
      paymentRail: "ACH",
      counterparty: {
        accountType: "USD_ACCOUNT",
        name: "Ana Ruiz",
        accountInfo: { routingNumber: "021000021" },
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
      ours: { holderName: "Acme Payments" },
      remittance: "Invoice 7",
      reference: payment.reference,
      endToEndId: payment.endToEndId,
      environment: "SANDBOX",
    });
    expect((await transactionOf(story, id)).reference).toBe(payment.reference);
  });

  it("is marked in the commit that accepts it, and its report is the only other command", async () => {
    connector.report = () => ({ status: "settled" });
    const id = await paid();
    const { state, history } = await paymentOf(story, id);
    expect(state).toBe("SETTLED");
    expect(history.map(({ state, why }: { state: string; why: string }) => [state, why])).toEqual([
      ["QUEUED", "accepted"],
      ["SENDING", "the order is sent"],
      ["SETTLED", "settled"],
    ]);
    expect(new Set(history.slice(0, 2).map(({ at }: { at: string }) => at)).size).toBe(1);
    const names = await server.database.asSuperuser((client) =>
      client.query(
        "select name from command_log where platform_id = $1 and name like '%rail-exchange' order by seq",
        [story.platformId],
      ),
    );
    expect(names.rows).toEqual([{ name: "record-rail-exchange" }]);
  });

  it("is shown on its transaction and in its events by what finds it at the bank", async () => {
    const accepted = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: payeeId },
      amount: 700,
    });
    const { id } = accepted.json;
    const { reference, endToEndId } = await paymentOf(story, id);
    const found = { reference, endToEndId };
    expect(accepted.json.reconciliationInstructions).toEqual(found);
    connector.report = () => ({ status: "settled", providerReference: "BANK-7" });
    await story.settle();
    await pass(30);
    const { status, reconciliationInstructions } = await transactionOf(story, id);
    expect(status).toBe("COMPLETED");
    expect(reconciliationInstructions).toEqual({ ...found, bankReference: "BANK-7" });
    const { json } = await story.call("GET", `/events?resourceId=${id}`);
    const told = json.data.map(({ type, data }: { type: string; data: typeof accepted.json }) => [
      type,
      data.reconciliationInstructions.bankReference,
    ]);
    expect(told).toContainEqual(["OUTGOING_PAYMENT.PENDING", undefined]);
    expect(told).toContainEqual(["OUTGOING_PAYMENT.COMPLETED", "BANK-7"]);
    const plain = await pay(100, { destination: { accountId: payeeId, paymentRail: "RTP" } });
    expect(await transactionOf(story, plain)).not.toHaveProperty("reconciliationInstructions");
  });

  it("is found by its filters", async () => {
    const id = await paid();
    const payment = await paymentOf(story, id);
    const found = async (query: string) =>
      (await story.call("GET", `/rails/payments?${query}`)).json.totalCount;
    expect(await found(`connectionId=${connectionId}`)).toBe(1);
    expect(await found("state=ACCEPTED")).toBe(1);
    expect(await found("state=SETTLED")).toBe(0);
    expect(await found("direction=PULL")).toBe(0);
    expect(await found("conflict=true")).toBe(0);
    expect(await found(`endToEndId=${payment.endToEndId}`)).toBe(1);
    expect(await found("endToEndId=nothing")).toBe(0);
    expect(await found("minAgeSeconds=0")).toBe(1);
    expect(await found("minAgeSeconds=3600")).toBe(0);
    expect(await found("from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")).toBe(0);
    expect((await story.call("GET", `/rails/payments/${payment.id}`)).json).toEqual(payment);
    const other = await openStory(server);
    expect((await other.call("GET", `/rails/payments/${payment.id}`)).status).toBe(404);
  });

  it("that no route takes goes over the sandbox's own rail, as before", async () => {
    const id = await pay(700, { destination: { accountId: payeeId, paymentRail: "RTP" } });
    await story.settle();
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
    expect(callsOf("PUT")).toEqual([]);
  });
});

describe("a report", () => {
  it("accepted: the payment is on its way, and asked about until it is settled", async () => {
    const id = await paid();
    expect((await transactionOf(story, id)).status).toBe("PROCESSING");
    connector.report = () => ({
      status: "settled",
      providerReference: "BANK-1",
      settledOn: "2026-11-24",
    });
    await pass(30);
    expect(await transactionOf(story, id)).toMatchObject({ status: "COMPLETED" });
    expect(await paymentOf(story, id)).toMatchObject({
      state: "SETTLED",
      bankReference: "BANK-1",
      settledOn: "2026-11-24",
    });
    expect(callsOf("PUT")).toHaveLength(1);
    expect(await eventsAbout(story, id)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
  });

  it.each([
    ["AC04", "ACCOUNT_INVALID", "ACCOUNT_INVALID"],
    ["AG01", "ACCOUNT_CANNOT_RECEIVE", "REJECTED_BY_BANK"],
    ["RR04", "COMPLIANCE_REJECTED", "COMPLIANCE"],
    ["AM02", "LIMIT_EXCEEDED", "REJECTED_BY_BANK"],
    ["own-code", "COUNTERPARTY_POST_TX_FAILED", "DELIVERY_FAILED"],
  ])("declined with %s: %s, and the money is back", async (code, failureReason, failureCode) => {
    connector.report = () => ({
      status: "declined",
      reason: { code, text: "no\u0007t here" },
    });
    const id = await paid();
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason,
      failure: {
        code: failureCode,
        stage: "PAYOUT",
        rail: { scheme: "CONNECTOR", code, text: "not here" },
      },
      refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" },
    });
    expect(await balanceOf(story, accountId)).toBe(10_000);
    expect(await eventsAbout(story, id)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.FAILED",
      "OUTGOING_PAYMENT.REFUND_PENDING",
      "OUTGOING_PAYMENT.REFUND_COMPLETED",
    ]);
  });

  it("cancelled: as declined, and the refund says so", async () => {
    connector.report = () => ({ status: "cancelled" });
    const { failure, refund } = await transactionOf(story, await paid());
    expect([failure.code, refund.reason]).toEqual(["CANCELLED", "USER_CANCELLATION"]);
  });

  it("returned after it was settled: the money is back on the account", async () => {
    const id = await paid();
    connector.report = () => ({ status: "settled" });
    await pass(30);
    const payment = await paymentOf(story, id);
    await mark(payment, "RETURNED", { reason: { code: "AC04", text: "closed" } });
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      failure: { code: "RETURNED_BY_BANK", stage: "RETURN", rail: { code: "AC04" } },
      refund: { status: "COMPLETED" },
    });
    expect(await balanceOf(story, accountId)).toBe(10_000);
  });

  it("returned, of a refund: the payment that was given back can be refunded again", async () => {
    const ends = { source: { accountId: payeeId }, destination: { accountId }, amount: 700 };
    const pulled = expectStatus(201, await story.call("POST", "/transfer-in", ends)).json.id;
    await story.settle();
    const refund = () => story.call("POST", `/transactions/${pulled}/refund`, { reason: "OTHER" });
    const { id } = expectStatus(201, await refund()).json;
    connector.report = () => ({ status: "settled" });
    await story.settle();
    const payment = await paymentOf(story, id);
    expect(payment).toMatchObject({ state: "SETTLED", direction: "OUT", connectionId });
    expect(await transactionOf(story, pulled)).toMatchObject({
      status: "REFUNDED",
      refundedAmount: { amount: 700 },
    });
    expectStatus(200, await mark(payment, "RETURNED", { reason: { code: "AC04" } }));
    expect(await transactionOf(story, id)).toMatchObject({ failureReason: "PAYOUT_RETURNED" });
    const original = await transactionOf(story, pulled);
    expect(original.status).toBe("COMPLETED");
    expect(original).not.toHaveProperty("refundedAmount");
    expect(original).not.toHaveProperty("refundPendingAmount");
    expect((await eventsAbout(story, pulled)).slice(-3)).toEqual([
      "INCOMING_PAYMENT.REFUND_PENDING",
      "INCOMING_PAYMENT.REFUND_COMPLETED",
      "INCOMING_PAYMENT.REFUND_FAILED",
    ]);
    expectStatus(201, await refund());
  });

  it("returned before anything else was told: settled and returned in one commit", async () => {
    connector.report = () => ({ status: "returned", reason: { code: "MS03" } });
    const id = await paid();
    expect(await paymentOf(story, id)).toMatchObject({ state: "RETURNED" });
    expect(await transactionOf(story, id)).toMatchObject({ failureReason: "PAYOUT_RETURNED" });
    expect(await balanceOf(story, accountId)).toBe(10_000);
  });

  it("that says duplicate never releases the money", async () => {
    connector.report = () => ({ status: "declined", reason: { code: "AM05" } });
    const id = await paid();
    expect(await paymentOf(story, id)).toMatchObject({ state: "UNKNOWN", conflict: true });
    expect(await balanceOf(story, accountId)).toBe(9_300);
    await pass(3_600);
    const payment = await paymentOf(story, id);
    expect(payment.conflict).toBe(true);
    expect(await eventsAbout(story, payment.id)).toEqual(["RAIL_PAYMENT.CONFLICT"]);
    expect((await mark(payment, "SETTLED")).json).toMatchObject({
      state: "SETTLED",
      conflict: false,
    });
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
  });
});

describe("what tells nothing", () => {
  /** Bodies that are no report: src/outside/rails/connector/connector-reports.test.ts. */
  const replies: Readonly<Record<string, ConnectorReply>> = {
    "a reset": "reset",
    "an error": { status: 500, body: { status: "declined" } },
    "a gateway's page": { status: 502, body: "<html>declined</html>" },
    "an unsigned no": { status: 200, body: { status: "declined" }, signature: "none" },
    "a wrongly signed no": { status: 200, body: { status: "declined" }, signature: "wrong" },
    "a redirect": { status: 302, body: {} },
    "more than 256 kB": { status: 200, body: { status: "declined", note: "x".repeat(300_000) } },
    "half a body": { status: 200, body: '{"status": "decl' },
    "not_received to an order": { status: 404, body: { code: "not_received" } },
  };

  it.each(Object.keys(replies))("holds the money after %s, and asks again", async (name) => {
    connector.reply = ({ path }) => (path === "/florin-rail" ? undefined : replies[name]);
    const id = await paid();
    expect(await paymentOf(story, id)).toMatchObject({ state: "SENDING" });
    expect(await balanceOf(story, accountId)).toBe(9_300);
    connector.reply = () => undefined;
    connector.report = () => ({ status: "settled" });
    await pass(30);
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
    expect(connector.orders.size).toBeGreaterThan(0);
  });

  it("is told as UNKNOWN after a minute, and asked about for ever", async () => {
    connector.reply = ({ path }) => (path === "/florin-rail" ? undefined : "reset");
    const id = await paid();
    await pass(59);
    expect((await paymentOf(story, id)).state).toBe("SENDING");
    await pass(2);
    const payment = await paymentOf(story, id);
    expect(payment.state).toBe("UNKNOWN");
    expect(await eventsAbout(story, payment.id)).toEqual(["RAIL_PAYMENT.UNKNOWN"]);
    await pass(30 * 86_400);
    expect((await paymentOf(story, id)).state).toBe("UNKNOWN");
    expect(await balanceOf(story, accountId)).toBe(9_300);
    connector.reply = () => undefined;
    connector.report = () => ({ status: "settled" });
    await pass(3_600);
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
  });

  it("is asked about first; only an order that never arrived is sent again, under its own id", async () => {
    connector.reply = ({ method }) => (method === "PUT" ? "reset" : undefined);
    const id = await paid();
    connector.reply = () => undefined;
    await pass(10);
    const [sent, asked, again] = connector.calls.filter(({ path }) => path !== "/florin-rail");
    expect([sent?.method, asked?.method]).toEqual(["PUT", "GET"]);
    const puts = callsOf("PUT");
    expect(new Set(puts.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(again?.path).toBe(sent?.path);
    expect((await transactionOf(story, id)).status).toBe("PROCESSING");
  });

  it("is never sent to another address than the first", async () => {
    connector.reply = ({ method }) => (method === "PUT" ? "reset" : undefined);
    const id = await paid();
    connector.reply = () => undefined;
    const baseUrl = `${connector.baseUrl.replace("/bank", "")}/bank/`;
    await story.call("PATCH", `/rails/connections/${connectionId}`, { settings: { baseUrl } });
    const before = callsOf("PUT").length;
    await pass(60);
    expect(callsOf("PUT")).toHaveLength(before);
    expect(await paymentOf(story, id)).toMatchObject({ conflict: true });
  });
});

describe("a contradiction", () => {
  async function contradicted(
    first: Readonly<Record<string, unknown>>,
    then: Readonly<Record<string, unknown>>,
  ): Promise<RawAnswer["json"]> {
    connector.report = () => ({ status: "accepted" });
    const id = await paid();
    const payment = await paymentOf(story, id);
    connector.report = () => first;
    await pass(30);
    connector.report = () => then;
    // A payment that is over is asked about no more: a callback tells.
    const path = `/2025-10-13/rails/callbacks/${connectionId.slice("RailConnection:".length)}`;
    const bare = payment.id.slice("RailPayment:".length);
    const { text, headers } = signedCallback(path, { id: bare, ...then });
    const told = await story.call("POST", path.replace("/2025-10-13", ""), text, {
      authorization: null,
      headers,
    });
    expectStatus(204, told);
    return { id, payment: await paymentOf(story, id) };
  }

  it.each([
    ["settled after declined", { status: "declined" }, { status: "settled" }, "DECLINED", "FAILED"],
    [
      "another amount",
      { status: "settled" },
      { status: "returned", amount: "701" },
      "SETTLED",
      "COMPLETED",
    ],
  ])("%s moves no money and waits for a person", async (_what, first, then, state, status) => {
    const { id, payment } = await contradicted(first, then);
    expect(payment).toMatchObject({ state, conflict: true });
    expect((await transactionOf(story, id)).status).toBe(status);
    expect(await eventsAbout(story, payment.id)).toEqual(["RAIL_PAYMENT.CONFLICT"]);
    const { json } = await story.call("GET", `/rails/connections/${connectionId}`);
    expect(json.health.conflicts).toBe(1);
    const other = state === "SETTLED" ? "DECLINED" : "SETTLED";
    expect((await mark(payment, other)).status).toBe(409);
    expect((await mark(payment, state)).json).toMatchObject({ state, conflict: false });
  });

  it("not_received after accepted waits for a person too", async () => {
    const id = await paid();
    connector.orders.clear();
    await pass(30);
    expect(await paymentOf(story, id)).toMatchObject({ state: "ACCEPTED", conflict: true });
    expect(callsOf("PUT")).toHaveLength(1);
  });
});
