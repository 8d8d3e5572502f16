/** What a connector says that it can do: kept, shown, and what follows from it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, signedCallback, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  httpConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const ALL = {
  cancel: true,
  feed: true,
  balance: true,
  instructions: true,
  settlesReturns: false,
  invoices: false,
};

let server: TestServer;
let connector: TestConnector;
let story: Story;
let payer: Payer;
/** What the bank has booked. */
let lines: readonly Readonly<Record<string, unknown>>[] = [];
let booked = "0";
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  connector.reply = ({ path }) => {
    if (path === "/balances") {
      const balances = [{ currency: "USD", booked, asOf: "2026-11-24T09:30:00Z" }];
      return { status: 200, body: { balances } };
    }
    if (!path.startsWith("/entries")) return undefined;
    const after = Number(new URL(path, "http://connector.test").searchParams.get("after") ?? 0);
    const entries = lines.slice(after);
    return {
      status: 200,
      body: { entries, nextCursor: String(lines.length), hasMore: false },
    };
  };
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  connector.features = ALL;
  connector.calls.length = 0;
  connector.report = () => ({ status: "accepted", askAgainSeconds: 86_400 });
  lines = [];
  booked = "0";
  story = await openStory(server);
  payer = await payerOf(story, 10_000);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const read = async (id: string) => (await story.call("GET", `/rails/connections/${id}`)).json;
const callsTo = (part: string) => connector.calls.filter(({ path }) => path.includes(part)).length;
const feeding = () => {
  const body = httpConnection(connector);
  return { ...body, settings: { ...body.settings, feed: true, pollSeconds: 10 } };
};
const pass = async (seconds: number) => {
  await story.call("POST", "/sandbox/clock/advance", { seconds });
  await story.settle();
};

describe("features", () => {
  it("are shown as the connector tells them; one that it does not name it does not have", async () => {
    connector.features = { cancel: true, feed: true, later: "unknown names are fine" };
    const id = await activeConnection(story, httpConnection(connector));
    expect((await read(id)).features).toEqual({
      cancel: true,
      feed: true,
      balance: false,
      instructions: false,
      settlesReturns: false,
      invoices: false,
    });
    connector.features = undefined;
    const silent = await activeConnection(story, httpConnection(connector));
    expect(await read(silent)).not.toHaveProperty("features");
    const { json } = await story.call("POST", `/rails/connections/${id}/test`);
    expect(json.checks[1].message).toMatch(/does not say what it can do/);
  });

  it.each([["yes"], [null], [{ cancel: "true" }], [[true]]])(
    "that are %j make the description unsound",
    async (features) => {
      connector.features = features;
      const made = await story.call("POST", "/rails/connections", httpConnection(connector));
      const refused = await story.call("POST", `/rails/connections/${made.json.id}/activate`);
      expect([refused.status, refused.json.details.missing]).toEqual([409, ["capabilities"]]);
      expect(refused.json.details.reason).toMatch(/features must be an object/);
    },
  );

  it("are read again once a day, and a feed that has ended is read no more", async () => {
    const id = await activeConnection(story, feeding());
    await pass(11);
    expect(callsTo("/entries")).toBeGreaterThan(0);
    connector.features = { ...ALL, feed: false };
    await pass(86_400);
    await expect.poll(async () => (await read(id)).features.feed).toBe(false);
    const before = callsTo("/entries");
    await pass(60);
    expect(callsTo("/entries")).toBe(before);
  });
});

describe("settings that ask for a feature that is not there", () => {
  it("keep the connection from being activated", async () => {
    connector.features = { ...ALL, feed: false, instructions: false };
    const body = { ...feeding(), funding: { mode: "CONNECTOR" } };
    const { id } = (await story.call("POST", "/rails/connections", body)).json;
    const refused = await story.call("POST", `/rails/connections/${id}/activate`);
    expect([refused.status, refused.json.code, refused.json.details]).toEqual([
      409,
      "CONFLICT",
      { missing: ["features.feed", "features.instructions"] },
    ]);
    expect(refused.json.message).toMatch(/connector says that it lacks/);
    expect((await read(id)).status).toBe("SETUP");
  });

  it("are refused later, and others may change", async () => {
    connector.features = { ...ALL, feed: false };
    const id = await activeConnection(story, httpConnection(connector));
    const path = `/rails/connections/${id}`;
    const refused = await story.call("PATCH", path, { settings: { feed: true } });
    expect([refused.status, refused.json.details]).toEqual([409, { missing: ["features.feed"] }]);
    expectStatus(200, await story.call("PATCH", path, { settings: { timeoutMs: 2_000 } }));
    expect((await read(id)).settings.feed).toBeUndefined();
  });
});

it("a connector that cancels nothing is not asked to: the recall is refused at once", async () => {
  connector.features = { ...ALL, cancel: false };
  await routeTo(story, await activeConnection(story, httpConnection(connector)));
  const { id } = expectStatus(201, await payer.pay(400)).json;
  await story.settle();
  const order = await paymentOf(story, id);
  const path = `/rails/payments/${order.id}/recall`;
  const recalled = expectStatus(200, await story.call("POST", path, { reason: "FRAUD" }));
  expect(recalled.json).toMatchObject({ state: "ACCEPTED", recall: { state: "REFUSED" } });
  await pass(60);
  expect(callsTo("/cancel")).toBe(0);
});

it("a connector without balances is not asked for them", async () => {
  connector.features = { ...ALL, balance: false };
  await activeConnection(story, feeding());
  await pass(11);
  await pass(11);
  expect(callsTo("/entries")).toBeGreaterThan(0);
  expect(callsTo("/balances")).toBe(0);
});

describe("a return that is told by its report alone", () => {
  const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);

  async function ordered() {
    connector.features = { ...ALL, settlesReturns: true };
    const connectionId = await activeConnection(story, feeding());
    await routeTo(story, connectionId);
    const { id } = expectStatus(201, await payer.pay(700)).json;
    await story.settle();
    const { id: orderId } = await paymentOf(story, id);
    return { id, connectionId, orderId };
  }

  const paid = (orderId: string) => ({
    id: `E-${orderId}`,
    currency: "USD",
    amount: "700",
    direction: "DEBIT",
    bookedAt: "2026-11-24T09:30:00Z",
    paymentId: bare(orderId),
  });

  async function returned(amount?: string) {
    const order = await ordered();
    const { id, connectionId, orderId } = order;
    lines = [paid(orderId)];
    booked = "-700";
    await pass(11);
    await expect.poll(async () => (await paymentOf(story, id)).state).toBe("SETTLED");
    booked = String(Number(amount ?? "700") - 700);
    const report = { status: "returned", reason: { code: "AC04" }, amount };
    const path = `/rails/callbacks/${bare(connectionId)}`;
    for (let twice = 0; twice < 2; twice++) {
      const signed = signedCallback(`/2025-10-13${path}`, { id: bare(orderId), ...report });
      const { text, headers } = signed;
      expectStatus(204, await story.call("POST", path, text, { authorization: null, headers }));
    }
    expect((await paymentOf(story, id)).state).toBe("RETURNED");
    await pass(11);
    await pass(11);
    return order;
  }

  const reconciled = async (connectionId: string) =>
    (await story.call("GET", `/rails/connections/${connectionId}/reconciliation`)).json;

  it("is booked once, and the balance is explained", async () => {
    const before = await balanceOf(story, payer.accountId);
    const { id, connectionId } = await returned();
    expect((await transactionOf(story, id)).status).toBe("FAILED");
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}`);
    const told = json.data.map((entry: typeof json) => [
      entry.source,
      entry.bookedAs,
      entry.amount.amount,
    ]);
    expect(told).toEqual([
      ["REPORT", "RETURN", 700],
      ["FEED", "PAYMENT", 700],
    ]);
    expect(await reconciled(connectionId)).toMatchObject({
      ours: { amount: "0" },
      explained: { settledNotOnStatement: { count: 0 } },
      unexplained: { amount: "0" },
    });
  });

  it.each([
    ["the order that it gives back", "returnOf"],
    ["its order", "paymentId"],
  ])("is not booked again by an entry that names %s", async (_what, member) => {
    const { connectionId, orderId } = await returned();
    const named = bare(orderId);
    lines = [
      ...lines,
      {
        ...paid(orderId),
        paymentId: undefined,
        id: "E-back",
        direction: "CREDIT",
        [member]: named,
      },
    ];
    await pass(11);
    await pass(11);
    const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}`);
    expect(json.data.map(({ source }: typeof json) => source)).toEqual(["REPORT", "FEED"]);
    const items = await story.call("GET", `/rails/items?connectionId=${connectionId}`);
    expect(items.json.data).toEqual([]);
    expect((await read(connectionId)).health).not.toHaveProperty("refusedEntries");
    expect((await reconciled(connectionId)).unexplained.amount).toBe("0");
  });

  it("leaves a charge that a bank kept as an item", async () => {
    const { connectionId } = await returned("650");
    const { json } = await story.call("GET", `/rails/items?connectionId=${connectionId}`);
    expect(json.data[0]).toMatchObject({ reason: "SHORT_RETURN", amount: { amount: 50 } });
    expect((await reconciled(connectionId)).unexplained.amount).toBe("0");
  });

  it("may come before the settlement, whose entry follows", async () => {
    const { id, connectionId, orderId } = await ordered();
    connector.report = () => ({ status: "returned", reason: { code: "AC04" } });
    await pass(86_400);
    await expect.poll(async () => (await paymentOf(story, id)).state).toBe("RETURNED");
    lines = [paid(orderId)];
    await pass(11);
    await pass(11);
    const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}`);
    expect(json.data.map(({ source }: typeof json) => source)).toEqual(["FEED", "REPORT"]);
    expect((await reconciled(connectionId)).unexplained.amount).toBe("0");
  });

  it("may be the answer to a recall", async () => {
    const { id, connectionId, orderId } = await ordered();
    connector.report = () => ({ status: "returned", reason: { code: "AC04" } });
    expectStatus(
      200,
      await story.call("POST", `/rails/payments/${orderId}/recall`, { reason: "FRAUD" }),
    );
    await story.settle();
    expect(callsTo("/cancel")).toBe(1);
    const order = (await story.call("GET", `/rails/payments/${orderId}`)).json;
    expect(order).toMatchObject({ state: "RETURNED", recall: { state: "DONE" } });
    lines = [paid(orderId)];
    await pass(11);
    await pass(11);
    const { json } = await story.call("GET", `/rails/entries?connectionId=${connectionId}`);
    expect(json.data.map(({ source }: typeof json) => source)).toEqual(["FEED", "REPORT"]);
    expect((await reconciled(connectionId)).unexplained.amount).toBe("0");
    expect((await transactionOf(story, id)).status).toBe("FAILED");
  });
});
