import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startApp } from "../../../src/app.ts";
import { readConfig } from "../../../src/config.ts";
import { basic } from "../../kit/basic.ts";
import { freePort } from "../../kit/free-port.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import {
  advance,
  holdingsOf,
  internalAccount,
  ledgerOf,
  rowCounts,
} from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const MOST_AT_ONCE = 100_000_000_000;
const UNKNOWN = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";
const THIRTY_DAYS = 2_592_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => endReceivers());
afterAll(() => server.close());

const fundCall = (story: Story, accountId: string, amount: unknown) =>
  story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });

async function authorizationFor(story: Story, permissions: readonly string[]): Promise<string> {
  const token = await story.call("POST", "/tokens", { name: "limited", permissions });
  return basic(token.json.clientId, token.json.clientSecret);
}

async function platformNow(story: Story): Promise<number> {
  return Date.parse((await story.call("GET", "/sandbox/clock")).json.now);
}

describe("funding an account", () => {
  it("credits it at once, as an incoming transaction that is complete", async () => {
    const story = await openStory(server);
    const { customerId, platformCustomerId, accountId } = await fundedCustomer(story, 0);
    const receiver = await listenTo(story);
    const answer = await fundCall(story, accountId, MOST_AT_ONCE);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id: accountId,
      balance: { amount: MOST_AT_ONCE },
      totalBalance: { amount: MOST_AT_ONCE },
    });
    const [, incoming, updated, ...rest] = await receiver.events();
    expect(rest).toEqual([]);
    expect(incoming?.type).toBe("INCOMING_PAYMENT.COMPLETED");
    expect(updated?.type).toBe("INTERNAL_ACCOUNT.BALANCE_UPDATED");
    expect(updated?.data).toEqual(answer.json);
    const read = await story.call("GET", `/transactions/${incoming?.data.id}`);
    expect(read.json).toEqual(incoming?.data);
    expect(read.json).toMatchObject({
      status: "COMPLETED",
      type: "INCOMING",
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId, currency: "USD" },
      customerId,
      platformCustomerId,
      receivedAmount: { amount: MOST_AT_ONCE },
      description: "Internal account funding",
    });
    expect(read.json.settledAt).toBe(read.json.createdAt);
    expect(await ledgerOf(story, accountId)).toEqual({ available: MOST_AT_ONCE, held: 0 });
  });

  it("works for the platform's own accounts and for an embedded wallet", async () => {
    const story = await openStory(server);
    const own = await internalAccount(story, { currency: "BTC" });
    expect((await fundCall(story, own, 7)).status).toBe(200);
    const customer = await story.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const wallet = await internalAccount(story, {
      customerId: customer.json.id,
      currency: "USDB",
      type: "EMBEDDED_WALLET",
    });
    expect((await fundCall(story, wallet, 9)).json.balance.amount).toBe(9);
    expect(await holdingsOf(story, own)).toEqual({ available: 7, total: 7 });
    const list = await story.call(
      "GET",
      `/transactions?customerId=PlatformConfig:${story.platformId}`,
    );
    expect(list.json.totalCount).toBe(1);
  });

  it.each([0, -1, MOST_AT_ONCE + 1, 1.5, "5", null, true])(
    "refuses the amount %s",
    async (amount) => {
      const story = await openStory(server);
      const { accountId } = await fundedCustomer(story, 0);
      const answer = await fundCall(story, accountId, amount);
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_AMOUNT"]);
      expect(await ledgerOf(story, accountId)).toEqual({ available: 0, held: 0 });
    },
  );

  it("happens once under one key", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const first = await story.call("POST", path, { amount: 5 }, { key: "once" });
    const again = await story.call("POST", path, { amount: 5 }, { key: "once" });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await ledgerOf(story, accountId)).toEqual({ available: 5, held: 0 });
  });

  it("finds no account that is unknown, foreign or of another kind", async () => {
    const [story, stranger] = [await openStory(server), await openStory(server)];
    const theirs = await fundedCustomer(stranger, 0);
    const own = await fundedCustomer(story, 0);
    for (const id of [
      UNKNOWN,
      theirs.accountId,
      own.customerId,
      "x",
      encodeURIComponent(UNKNOWN),
    ]) {
      const answer = await fundCall(story, id, 5);
      expect([id, answer.status, answer.json.code]).toEqual([id, 404, "REFERENCE_NOT_FOUND"]);
    }
    const encoded = encodeURIComponent(own.accountId);
    expect((await fundCall(story, encoded, 5)).status).toBe(200);
  });
});

describe("the clock", () => {
  it("is the real time plus what it was moved, for this platform alone", async () => {
    const [story, other] = [await openStory(server), await openStory(server)];
    const before = await platformNow(story);
    const moved = await advance(story, 3_600);
    expect(moved.status).toBe(200);
    expect(Object.keys(moved.json)).toEqual(["now"]);
    const after = await platformNow(story);
    expect(after - before).toBeGreaterThanOrEqual(3_600_000);
    expect(after - before).toBeLessThan(3_660_000);
    expect(Date.parse(moved.json.now)).toBeLessThanOrEqual(after);
    expect((await platformNow(other)) - before).toBeLessThan(60_000);
  });

  it("dates what happens, and its offsets add up and are kept", async () => {
    const story = await openStory(server);
    const before = await platformNow(story);
    await Promise.all([advance(story, 1), advance(story, 60), advance(story, THIRTY_DAYS)]);
    const customer = await story.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const movedMs = (THIRTY_DAYS + 61) * 1_000;
    const created = Date.parse(customer.json.createdAt);
    expect(created - before).toBeGreaterThanOrEqual(movedMs);
    expect(created - before).toBeLessThan(movedMs + 60_000);
    const { rows } = await server.database.asSuperuser((client) =>
      client.query("select clock_offset_ms from platform_heads where platform_id = $1", [
        story.platformId,
      ]),
    );
    expect(Number(rows[0].clock_offset_ms)).toBe(movedMs);
  });

  it("has run everything that is due when it answers", async () => {
    const story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story, 10_000);
    const silent = await bankAccount(story, { suffix: "005", customerId });
    const sent = await Promise.all(
      Array.from({ length: 20 }, () =>
        story.call("POST", "/transfer-out", {
          source: { accountId },
          destination: { accountId: silent },
          amount: 500,
        }),
      ),
    );
    expect(await ledgerOf(story, accountId)).toEqual({ available: 0, held: 10_000 });
    await advance(story, 30);
    for (const { json } of sent) {
      const read = await story.call("GET", `/transactions/${json.id}`);
      expect(read.json).toMatchObject({ status: "FAILED", refund: { reason: "TIMEOUT" } });
    }
    expect(await ledgerOf(story, accountId)).toEqual({ available: 10_000, held: 0 });
  });

  it.each([0, -1, THIRTY_DAYS + 1, 1.5, "30", null])("is not moved by %s", async (seconds) => {
    const story = await openStory(server);
    const answer = await story.call("POST", "/sandbox/clock/advance", { seconds });
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors[0].field).toBe("seconds");
  });

  it("is moved once under one key", async () => {
    const story = await openStory(server);
    const before = await platformNow(story);
    const body = { seconds: 1_000 };
    const first = await story.call("POST", "/sandbox/clock/advance", body, { key: "k" });
    const again = await story.call("POST", "/sandbox/clock/advance", body, { key: "k" });
    expect(again.text).toBe(first.text);
    expect((await platformNow(story)) - before).toBeLessThan(1_100_000);
  });

  it("returns a different time to each of many concurrent callers", async () => {
    const story = await openStory(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        story.call("POST", "/sandbox/clock/advance", { seconds: 1_000 }),
      ),
    );
    const times = answers.map(({ json }) => Date.parse(json.now)).toSorted((a, b) => a - b);
    for (const [n, time] of times.slice(1).entries()) {
      expect(time - (times[n] ?? 0)).toBeGreaterThanOrEqual(1_000_000);
    }
  });
});

describe("a production platform", () => {
  it("has no sandbox", async () => {
    const story = await openStory(server, { environment: "PRODUCTION" });
    const accountId = await internalAccount(story, { currency: "USD" });
    const before = await rowCounts(story);
    const answers = await Promise.all([
      fundCall(story, accountId, 5),
      advance(story, 5),
      story.call("GET", "/sandbox/clock"),
      story.call("POST", "/sandbox/webhooks/test"),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.json.code]).toEqual([403, "FORBIDDEN"]);
    }
    expect(await rowCounts(story)).toEqual(before);
  });
});

describe("the permissions of a token", () => {
  it("are asked for by every operation of the sandbox", async () => {
    const story = await openStory(server);
    const accountId = await internalAccount(story, { currency: "USD" });
    const calls = [
      ["POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 }, "TRANSACT", 200],
      ["POST", "/sandbox/clock/advance", { seconds: 1 }, "TRANSACT", 200],
      ["GET", "/sandbox/clock", undefined, "VIEW", 200],
      ["POST", "/sandbox/webhooks/test", undefined, "MANAGE", 400],
    ] as const;
    const all = ["VIEW", "TRANSACT", "MANAGE"];
    for (const [method, path, body, needed, status] of calls) {
      const others = await authorizationFor(
        story,
        all.filter((name) => name !== needed),
      );
      const refused = await story.call(method, path, body, { authorization: others });
      expect([path, refused.status]).toEqual([path, 403]);
      const only = await authorizationFor(story, [needed]);
      const allowed = await story.call(method, path, body, { authorization: only });
      expect([path, allowed.status]).toEqual([path, status]);
    }
  });
});

describe("testing the webhook", () => {
  const test = (story: Story) => story.call("POST", "/sandbox/webhooks/test");

  it("needs an endpoint", async () => {
    const answer = await test(await openStory(server));
    expect([answer.status, answer.json.code]).toEqual([400, "WEBHOOK_ENDPOINT_NOT_SET"]);
  });

  it.each([200, 204, 302, 401, 409, 410, 500])(
    "answers that the endpoint said %s",
    async (status) => {
      const story = await openStory(server);
      const receiver = await listenTo(story, ({ sequence }) => (sequence > 0 ? 200 : status));
      await receiver.events();
      const answer = await test(story);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        url: receiver.url,
        response_status: status,
        response_body: status === 204 ? "" : "thanks",
      });
      const tests = receiver.deliveries.filter(({ type }) => type === "TEST");
      expect(tests).toHaveLength(2);
      expect(new Set(tests.map(({ id }) => id)).size).toBe(2);
      expect(tests[1]?.data).toEqual({});
      await advance(story, THIRTY_DAYS);
      await receiver.events();
      expect(receiver.deliveries).toHaveLength(2);
    },
  );

  it("reports why no answer arrived", async () => {
    const story = await openStory(server);
    const port = await freePort();
    await story.call("PATCH", "/config", { webhookEndpoint: `http://127.0.0.1:${port}/hook` });
    const answer = await test(story);
    expect([answer.status, answer.json.code]).toEqual([400, "WEBHOOK_DELIVERY_ERROR"]);
    const words = `127.0.0.1:${port} refused the connection: nothing listens there.`;
    expect([answer.json.message, answer.json.details.reason]).toEqual([words, words]);
  });

  it("reports that the operator no longer allows calls to this machine", async () => {
    const story = await openStory(server);
    const receiver = await listenTo(story);
    await receiver.events();
    const stricter = await startApp(
      readConfig({
        DATABASE_URL: server.database.url,
        MASTER_KEY: "0123456789abcdef".repeat(4),
        PORT: "0",
        LOG_LEVEL: "silent",
        OUTBOUND_ALLOW_LOOPBACK: "none",
      }),
    );
    try {
      const response = await fetch(`${stricter.baseUrl}/2025-10-13/sandbox/webhooks/test`, {
        method: "POST",
        headers: { authorization: story.authorization },
      });
      const answer = (await response.json()) as { code: string; details: { reason: string } };
      expect([response.status, answer.code]).toEqual([400, "WEBHOOK_DELIVERY_ERROR"]);
      expect(answer.details.reason).toContain("is a private name or address, which is not called");
    } finally {
      await stricter.close();
    }
    expect(receiver.deliveries).toHaveLength(1);
  });
});
