/** Payments that wait: while a connection is degraded or paused, and what may be done with one that was not sent. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  eventsAbout,
  expectStatus,
  httpConnection,
  manualConnection,
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
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`, METRICS_PORT: "0" },
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

/** A figure of the connection at /metrics; NaN when it has none. */
async function figureOf(name: string, labels = ""): Promise<number> {
  const metrics = await fetch(`http://127.0.0.1:${server.app.metricsPort}/metrics`);
  const connection = connectionId.slice("RailConnection:".length);
  const line = `${name}{connection="${connection}"${labels}} `;
  return Number((await metrics.text()).split(line)[1]?.split("\n")[0]);
}

const callsOf = (method: string) =>
  connector.calls.filter((call) => call.method === method && call.path !== "/florin-rail");
const mark = (payment: { readonly id: string }, outcome: string, more = {}) =>
  story.call("POST", `/rails/payments/${payment.id}/mark`, { outcome, ...more });

describe("a connection", () => {
  it("is DEGRADED after five failures in a row, holds its queue, and goes on by itself", async () => {
    connector.reply = () => "reset";
    // Each job runs twice in a story, so that three payments fail five exchanges.
    const ids = [await paid(1), await paid(2), await paid(3)];
    const degraded = await story.call("GET", `/rails/connections/${connectionId}`);
    expect(degraded.json).toMatchObject({
      status: "DEGRADED",
      health: { sending: 3, lastError: { code: "NO_ANSWER" } },
    });
    expect(await figureOf("florin_rail_payments", ',state="SENDING"')).toBe(3);
    expect(await figureOf("florin_rail_exchange_failures_total")).toBeGreaterThanOrEqual(5);
    const calls = connector.calls.length;
    const queued = await paid(4);
    ids.push(queued);
    expect(await paymentOf(story, queued)).toMatchObject({ state: "QUEUED" });
    expect(connector.calls).toHaveLength(calls);
    connector.reply = () => undefined;
    connector.report = () => ({ status: "settled" });
    await pass(61);
    await pass(120);
    for (const id of ids) expect((await transactionOf(story, id)).status).toBe("COMPLETED");
    expect(await eventsAbout(story, connectionId)).toEqual([
      "RAIL_CONNECTION.DEGRADED",
      "RAIL_CONNECTION.RECOVERED",
    ]);
  });

  it.each([401, 403])("is DEGRADED by one answer %i", async (status) => {
    connector.reply = ({ path }) => (path === "/florin-rail" ? undefined : { status, body: {} });
    await paid();
    const { json } = await story.call("GET", `/rails/connections/${connectionId}`);
    expect([json.status, json.health.lastError.code]).toEqual(["DEGRADED", `HTTP_${status}`]);
  });

  it("counts an answer that says nothing of the order as a failed exchange", async () => {
    connector.reply = ({ path }) =>
      path === "/florin-rail" ? undefined : { status: 200, body: { hello: "there" } };
    await paid();
    // The figures are rendered once a second at most.
    const failures = () => figureOf("florin_rail_exchange_failures_total");
    await expect.poll(failures, { timeout: 5_000 }).toBeGreaterThanOrEqual(1);
  });

  it("that is paused sends nothing, and still asks about what was sent; resumed it sends once", async () => {
    const first = await paid();
    const act = (word: string, body?: unknown) =>
      story.call("POST", `/rails/connections/${connectionId}/${word}`, body);
    await act("pause", { newPayments: "QUEUE" });
    const second = await paid();
    expect((await paymentOf(story, second)).state).toBe("QUEUED");
    connector.report = () => ({ status: "settled" });
    await pass(60);
    expect((await paymentOf(story, first)).state).toBe("SETTLED");
    expect((await paymentOf(story, second)).state).toBe("QUEUED");
    await act("resume");
    await story.settle();
    expect((await paymentOf(story, second)).state).toBe("SETTLED");
    expect(callsOf("PUT")).toHaveLength(2);
  });
});

describe("a payment that was not sent", () => {
  let other: string;
  beforeEach(async () => {
    other = await activeConnection(story, manualConnection());
  });
  const pause = () =>
    story.call("POST", `/rails/connections/${connectionId}/pause`, { newPayments: "QUEUE" });
  const reroute = (id: string, body?: unknown) =>
    story.call("POST", `/rails/payments/${id}/reroute`, body);

  it("is given to another connection by hand, and keeps its id", async () => {
    await pause();
    const id = await paid();
    const payment = await paymentOf(story, id);
    expect((await reroute(payment.id)).status).toBe(409);
    expect((await reroute(payment.id, { connectionId: other })).status).toBe(400);
    await routeTo(story, other, { priority: 500 });
    expect((await reroute(payment.id, { connectionId: other })).json).toMatchObject({
      id: payment.id,
      connectionId: other,
      state: "QUEUED",
    });
    await story.call("POST", `/rails/connections/${connectionId}/resume`);
    await story.settle();
    expect(callsOf("PUT")).toEqual([]);
  });

  it("is given to the next candidate after its route's time, and one that was sent never", async () => {
    await routeTo(story, connectionId, { priority: 1, fallbackAfterSeconds: 60 });
    await routeTo(story, other, { priority: 500 });
    const sent = await paid();
    await pause();
    const queued = await paid();
    await pass(59);
    expect((await paymentOf(story, queued)).connectionId).toBe(connectionId);
    await pass(2);
    expect((await paymentOf(story, queued)).connectionId).toBe(other);
    const payment = await paymentOf(story, sent);
    expect(payment.connectionId).toBe(connectionId);
    expect((await reroute(payment.id)).json).toMatchObject({ details: { status: "ACCEPTED" } });
  });

  it("is recalled at once; of one that was sent the connector is asked", async () => {
    await pause();
    const queued = await paid();
    const recall = (id: string) =>
      story.call("POST", `/rails/payments/${id}/recall`, { reason: "WRONG_ACCOUNT" });
    const payment = await paymentOf(story, queued);
    expect((await recall(payment.id)).json).toMatchObject({
      state: "CANCELLED",
      recall: { state: "DONE", reason: "WRONG_ACCOUNT" },
    });
    expect(await transactionOf(story, queued)).toMatchObject({
      status: "FAILED",
      refund: { reason: "USER_CANCELLATION", status: "COMPLETED" },
    });
    expect((await recall(payment.id)).status).toBe(409);

    await story.call("POST", `/rails/connections/${connectionId}/resume`);
    for (const [answer, state, recalled] of [
      ["accepted", "ACCEPTED", "REFUSED"],
      ["cancelled", "DECLINED", "DONE"],
    ] as const) {
      const sent = await paymentOf(story, await paid());
      connector.reply = ({ path }) =>
        path.endsWith("/cancel") ? { status: 200, body: { status: answer } } : undefined;
      expect((await recall(sent.id)).json.recall.state).toBe("REQUESTED");
      await story.settle();
      const { json } = await story.call("GET", `/rails/payments/${sent.id}`);
      expect([json.state, json.recall.state]).toEqual([state, recalled]);
    }
  });
});

describe("a recall at a connector", () => {
  const recalled = async (reply: object) => {
    const sent = await paymentOf(story, await paid());
    connector.reply = ({ path }) => (path.endsWith("/cancel") ? (reply as never) : undefined);
    const body = { reason: "DUPLICATE" };
    expectStatus(200, await story.call("POST", `/rails/payments/${sent.id}/recall`, body));
    await story.settle();
    return async () => (await story.call("GET", `/rails/payments/${sent.id}`)).json.recall.state;
  };

  it("is refused by one that cancels nothing, and the connection stays as it is", async () => {
    const state = await recalled({ status: 404, body: { code: "no_such_path" } });
    expect(await state()).toBe("REFUSED");
    const { json } = await story.call("GET", `/rails/connections/${connectionId}`);
    expect(json.status).toBe("ACTIVE");
  });

  it("is asked for again while the answer is unknown", async () => {
    const state = await recalled({ status: 200, body: { status: "unknown" } });
    expect(await state()).toBe("REQUESTED");
    connector.report = () => ({ status: "declined", reason: { code: "CUST" } });
    await pass(61);
    expect(await state()).toBe("DONE");
  });
});

describe("money that is collected", () => {
  beforeEach(() => routeTo(story, connectionId, { direction: "PULL" }));
  const pull = async () => {
    const body = { source: { accountId: payeeId }, destination: { accountId }, amount: 250 };
    const id = expectStatus(201, await story.call("POST", "/transfer-in", body)).json.id;
    await story.settle();
    return id as string;
  };

  it("is credited when it is settled, and not before", async () => {
    const id = await pull();
    expect((await transactionOf(story, id)).status).toBe("PENDING");
    expect(await balanceOf(story, accountId)).toBe(10_000);
    connector.report = () => ({ status: "settled" });
    await pass(30);
    expect((await transactionOf(story, id)).status).toBe("COMPLETED");
    expect(await balanceOf(story, accountId)).toBe(10_250);
    const payment = await paymentOf(story, id);
    const returned = await mark(payment, "RETURNED", { reason: { code: "MD06" } });
    expect(returned.json).toMatchObject({ state: "RETURNED", conflict: false });
    expect(await balanceOf(story, accountId)).toBe(10_000);
  });

  it("is not credited when it is declined", async () => {
    connector.report = () => ({ status: "declined", reason: { code: "AM04" } });
    expect(await transactionOf(story, await pull())).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      failure: { stage: "COLLECTION", rail: { code: "AM04" } },
    });
  });
});
