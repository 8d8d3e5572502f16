import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { newAgent } from "../../kit/story-agents.ts";
import { holdingsOf } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute, quoteBody, sendFunds } from "../../kit/story-quotes.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
});
afterAll(() => server.close());

const create = (): Promise<RawAnswer> =>
  story.call("POST", "/customers", { customerType: "INDIVIDUAL" });
const read = async (id: string) => (await story.call("GET", `/customers/${id}`)).json;
const change = (id: string, more: object): Promise<RawAnswer> =>
  story.call("PATCH", `/customers/${id}`, { customerType: "INDIVIDUAL", ...more });
const remove = (id: string): Promise<RawAnswer> => story.call("DELETE", `/customers/${id}`);

describe("deleting a customer", () => {
  const gone = { status: 410, json: { code: "CUSTOMER_DELETED" } };

  it("marks it: it can still be read, but not changed, deleted again or given accounts", async () => {
    const { json } = await create();
    const deleted = await remove(json.id);
    expect(deleted.status).toBe(200);
    expect(deleted.json).toEqual({ ...json, isDeleted: true, updatedAt: deleted.json.updatedAt });
    expect(await read(json.id)).toEqual(deleted.json);
    expect(await remove(json.id)).toMatchObject(gone);
    expect(await change(json.id, { fullName: "X" })).toMatchObject(gone);
    const account = await story.call("POST", "/customers/external-accounts", {
      currency: "USD",
      customerId: json.id,
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "555555555789",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
    });
    expect(account).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  });

  it("closes its accounts to money", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 0);
    const external = await bankAccount(story, { customerId });
    await remove(customerId);
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const funded = await story.call("POST", path, { amount: 5 });
    expect(funded).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    const pulled = await story.call("POST", "/transfer-in", {
      source: { accountId: external },
      destination: { accountId },
      amount: 5,
    });
    expect(pulled).toMatchObject({ status: 403, json: { code: "USER_NOT_READY" } });
    const paid = await askQuote(story, { from: accountId, to: external });
    expect(paid).toMatchObject({
      status: 400,
      json: {
        details: {
          field: "source.accountId",
          reason: "belongs to a customer who was deleted",
        },
      },
    });
    const query = `?customerId=${customerId}`;
    const { json } = await story.call("GET", `/customers/internal-accounts${query}`);
    expect(json.data.map(({ balance }: { balance: { amount: number } }) => balance.amount)).toEqual(
      [0],
    );
  });

  it("connects none of its agents any more", async () => {
    const { agentId, customerId, code } = await newAgent(story, { funds: 0 });
    expect((await remove(customerId)).status).toBe(200);
    const next = await story.call("POST", `/agents/${agentId}/device-codes`);
    expect([next.status, next.json.code]).toEqual([410, "CUSTOMER_DELETED"]);
    const path = `/agents/device-codes/${code}/redeem`;
    const old = await story.call("POST", path, undefined, { authorization: null });
    expect([old.status, old.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
  });

  it("is refused while an account holds money", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 1);
    const refused = await remove(customerId);
    expect(refused).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    expect((await read(customerId)).isDeleted).toBe(false);
    const destination = await bankAccount(story, { customerId });
    const body = { source: { accountId }, destination: { accountId: destination }, amount: 1 };
    await story.call("POST", "/transfer-out", body);
    await story.settle();
    expect((await remove(customerId)).status).toBe(200);
  });

  it("is refused while a payment is in flight, out or in", async () => {
    for (const direction of ["out", "in"]) {
      const { customerId, accountId } = await fundedCustomer(story, direction === "out" ? 50 : 0);
      const external = await bankAccount(story, { customerId, suffix: "005" });
      const [from, to] = direction === "out" ? [accountId, external] : [external, accountId];
      const body = { source: { accountId: from }, destination: { accountId: to }, amount: 50 };
      const paid = await story.call("POST", `/transfer-${direction}`, body);
      expect(paid.json.status).toBe("PENDING");
      await story.settle();
      expect(await remove(customerId)).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
      await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
      await story.settle();
      const ended = await story.call("GET", `/transactions/${paid.json.id}`);
      expect(ended.json.status).toBe("FAILED");
      // What failed to go out has come back, and is money again.
      expect((await remove(customerId)).status).toBe(direction === "out" ? 409 : 200);
    }
  });

  it("is refused without loading the payments when thousands of them are in flight", async () => {
    const { json } = await create();
    const customerId = json.id.split(":")[1];
    const inserted = 3_000;
    await server.database.asSuperuser((client) =>
      client.query(
        "insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination, " +
          "created_at, updated_at) select $1, gen_random_uuid(), 'OUTGOING', 'PENDING', $2, 'c', '{}', '{}', now(), now() " +
          "from generate_series(1, $3::int4)",
        [story.platformId, customerId, inserted],
      ),
    );
    const remembered = server.app.engine.gauges.cachedRows();
    expect(await remove(json.id)).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { reason: "a payment is in flight" } },
    });
    expect(server.app.engine.gauges.cachedRows() - remembered).toBeLessThan(inserted / 2);
    await server.database.asSuperuser((client) =>
      client.query("delete from transactions where customer_id = $1", [customerId]),
    );
    expect((await remove(json.id)).status).toBe(200);
  });

  it("is refused while money that was paid in for it is in flight", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const quote = await story.call("POST", "/quotes", {
      ...quoteBody({ from: "", to: await euroAccount(story, customerId, "003") }),
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
    });
    await sendFunds(story, quote.json.id);
    await story.settle();
    const path = `/transactions/${quote.json.transactionId}`;
    expect((await story.call("GET", path)).json.status).toBe("PROCESSING");
    expect(await remove(customerId)).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { reason: "a payment is in flight" } },
    });
    await story.call("POST", "/sandbox/clock/advance", { seconds: 400 });
    await story.settle();
    expect((await remove(customerId)).status).toBe(200);
  });

  it("is refused while what a failed refund could not give back is held", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 50_000);
    const to = await euroAccount(story, customerId, "007");
    const quote = await askQuote(story, { from: accountId, to, amount: 50_000 });
    await execute(story, quote.json.id);
    await story.settle();
    const path = `/transactions/${quote.json.transactionId}`;
    expect((await story.call("GET", path)).json).toMatchObject({
      status: "FAILED",
      refund: { status: "FAILED" },
    });
    expect(await holdingsOf(story, accountId)).toEqual({ available: 0, total: 50_000 });
    expect(await remove(customerId)).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { reason: "an account holds money" } },
    });
  });

  it("happens once when it is requested many times at once", async () => {
    const { json } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(json.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(9);
  });

  it("and funding at once end with money or with a deleted customer, never both", async () => {
    for (let round = 0; round < 5; round++) {
      const { customerId, accountId } = await fundedCustomer(story, 0);
      const path = `/sandbox/internal-accounts/${accountId}/fund`;
      const [funded, deleted] = await Promise.all([
        story.call("POST", path, { amount: 5 }),
        remove(customerId),
      ]);
      const query = `?customerId=${customerId}`;
      const { json } = await story.call("GET", `/customers/internal-accounts${query}`);
      const { isDeleted } = await read(customerId);
      expect(isDeleted).toBe(deleted.status === 200);
      expect(json.data[0].balance.amount).toBe(funded.status === 200 ? 5 : 0);
      expect(isDeleted && json.data[0].balance.amount > 0).toBe(false);
    }
  });
});
