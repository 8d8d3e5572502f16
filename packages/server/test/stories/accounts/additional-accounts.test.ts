/** Accounts beside the default ones: who gets the money that names no account, and what becomes of a closed account. */
import { beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { credit, fundedDesk, instructionsOf, referenceOf } from "../../kit/story-funding.ts";
import { holdingsOf, internalAccount } from "../../kit/story-money.ts";
import { euroAccount, sendFunds } from "../../kit/story-quotes.ts";
import { balanceOf, expectStatus, payerOf, paymentOf, routeTo } from "../../kit/story-rails.ts";
import { announce, answered, umaStage } from "../../kit/story-uma.ts";

const server = await sharedServer();

async function opened(story: Story, more: object = {}): Promise<string> {
  const body = { name: "Rent", currency: "USD", ...more };
  return expectStatus(201, await story.call("POST", "/internal-accounts", body)).json.id;
}

const move = (story: Story, source: string, destination: string, amount = 100) =>
  story.call("POST", "/transfers", {
    source: { accountId: source },
    destination: { accountId: destination },
    amount,
  });

const close = (story: Story, id: string) => story.call("POST", `/internal-accounts/${id}/close`);

describe("an account beside the default one", () => {
  let story: Story;
  beforeAll(async () => {
    story = await openStory(server);
  });

  it("is shown with its name, and without instructions until they are requested", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const id = await opened(story, { customerId, metadata: { order: "7" } });
    const path = `/internal-accounts/${id}`;
    const shown = (await story.call("GET", path)).json;
    expect(shown).toMatchObject({
      ...{ id, customerId, name: "Rent", isDefault: false, metadata: { order: "7" } },
      ...{ type: "INTERNAL_FIAT", status: "ACTIVE", fundingPaymentInstructions: [] },
    });
    const changed = await story.call("PATCH", path, { name: "Bills", metadata: {} });
    expect(expectStatus(200, changed).json).toMatchObject({ name: "Bills" });
    expect(changed.json).not.toHaveProperty("metadata");
    const funded = await story.call("POST", `${path}/funding-instructions`);
    expect(funded.json.fundingPaymentInstructions).toHaveLength(1);
    expect((await story.call("GET", path)).json).toEqual(funded.json);
  });

  it("is told apart by the filter, with totals, for customers and the platform", async () => {
    const at = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(at, 0);
    const mine = await opened(at, { customerId });
    const ours = await opened(at);
    const idsAt = async (path: string) => {
      const { json } = await at.call("GET", path);
      expect(json.totalCount).toBe(json.data.length);
      return json.data.map(({ id }: { id: string }) => id);
    };
    const customers = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
    expect(await idsAt(customers)).toEqual([mine, accountId]);
    expect(await idsAt(`${customers}&isDefault=true`)).toEqual([accountId]);
    expect(await idsAt(`${customers}&isDefault=false`)).toEqual([mine]);
    expect(await idsAt("/customers/internal-accounts?isDefault=false")).toEqual([mine]);
    expect(await idsAt("/platform/internal-accounts?isDefault=false")).toEqual([ours]);
    const usual = await idsAt("/platform/internal-accounts?isDefault=true");
    expect(usual).not.toContain(ours);
  });

  it("leaves the payments that name no account to the default one", async () => {
    const stage = await umaStage(server, 200);
    const { customerId, accountId } = stage;
    const beside = await opened(stage.story, { customerId });
    expectStatus(200, await announce(stage, { receivingCurrencyAmount: 500 }));
    await answered(stage);
    expect(await balanceOf(stage.story, accountId)).toBe(500);
    expect(await balanceOf(stage.story, beside)).toBe(0);
  });

  it("leaves a refund in crypto to the default account, of a customer and of the platform", async () => {
    const at = await openStory(server);
    const { json } = await at.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const to = await euroAccount(at, undefined, "004");
    for (const payer of [{ customerId: json.id }, {}]) {
      const currency = "USDC";
      const usual = await internalAccount(at, { ...payer, currency });
      const beside = await opened(at, { ...payer, currency });
      const quote = await at.call("POST", "/quotes", {
        source: { sourceType: "REALTIME_FUNDING", currency, cryptoNetwork: "SOLANA", ...payer },
        destination: { destinationType: "ACCOUNT", accountId: to },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 50_000_000,
      });
      await sendFunds(at, quote.json.id, { currencyCode: currency });
      await at.settle();
      expect((await holdingsOf(at, usual)).available).toBe(50_000_000);
      expect((await holdingsOf(at, beside)).available).toBe(0);
    }
  });

  it("pays and is paid by its id: transfers, a quote, an agent", async () => {
    const at = await openStory(server);
    const agent = await connectedAgent(at, { funds: 0 });
    const { customerId } = agent;
    const usual = await internalAccount(at, { customerId, currency: "USD" });
    const id = await opened(at, { customerId });
    expectStatus(
      200,
      await at.call("POST", `/sandbox/internal-accounts/${id}/fund`, { amount: 900 }),
    );
    expectStatus(201, await move(at, id, usual, 100));
    const payee = await bankAccount(at, { customerId });
    const out = { source: { accountId: id }, destination: { accountId: payee }, amount: 100 };
    expectStatus(201, await at.call("POST", "/transfer-out", out));
    const byAgent = await agent.call("POST", "/transfer-out", out);
    expect(byAgent.status).toBe(201);
    const quote = await at.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId: id },
      destination: { destinationType: "ACCOUNT", accountId: await euroAccount(at) },
      ...{ lockedCurrencySide: "SENDING", lockedCurrencyAmount: 200, immediatelyExecute: true },
    });
    expectStatus(201, quote);
    await at.settle();
    expect(await holdingsOf(at, id)).toEqual({ available: 400, total: 400 });
  });

  it("does not keep a currency from getting its default account", async () => {
    const at = await openStory(server);
    const { customerId } = await fundedCustomer(at, 0);
    await opened(at, { customerId });
    expectStatus(
      200,
      await at.call("PATCH", `/customers/${customerId}`, {
        customerType: "INDIVIDUAL",
        currencies: ["USD", "EUR"],
      }),
    );
    const list = `/customers/internal-accounts?customerId=${customerId}&isDefault=true`;
    expect((await at.call("GET", list)).json.totalCount).toBe(2);
  });

  it("is named in the parties of a payment, and masked for those who see no personal data", async () => {
    const { workspaceId } = await server.makePlatform();
    const at = await openStory(server, { workspaceId });
    const { customerId, accountId } = await fundedCustomer(at, 1_000);
    const id = await opened(at, { customerId, name: "Anna Savings" });
    const ours = await opened(at, { name: "Fees of May" });
    const { json } = expectStatus(201, await move(at, accountId, id));
    const path = `/transactions/${json.id}?expand=parties`;
    const named = await at.call("GET", path);
    expect(named.json.parties.to.detail).toBe("USD · Anna Savings");
    await at.call("PATCH", `/internal-accounts/${id}`, { name: "Anna Bills" });
    const again = await at.call("GET", path);
    expect(again.json.parties.to.detail).toBe("USD · Anna Bills");
    const owner = await makeOwner(server, workspaceId);
    const { browser } = await makePerson(owner, ["VIEWER"]);
    const read = async (one: string) => (await browser.at(at.platformId)("GET", one)).json;
    expect((await read(path)).parties.to.detail).toBe("USD · A. B.");
    expect((await read(`/internal-accounts/${id}`)).name).toBe("A. B.");
    expect((await read(`/internal-accounts/${ours}`)).name).toBe("Fees of May");
  });

  it("answers a platform's own call again under its key", async () => {
    const key = { key: "once" };
    const body = { name: "Once", currency: "USD" };
    const first = await story.call("POST", "/internal-accounts", body, key);
    const second = await story.call("POST", "/internal-accounts", body, key);
    expect(second.json).toEqual(first.json);
  });
});

describe("a closed account", () => {
  it("stays readable, and neither sends nor takes money", async () => {
    const story = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(story, 1_000);
    const id = await opened(story, { customerId });
    expectStatus(201, await move(story, accountId, id));
    const held = await close(story, id);
    expect(held).toMatchObject({ status: 409, json: { details: { balance: 100, payments: 0 } } });
    expectStatus(201, await move(story, id, accountId));
    const closed = expectStatus(200, await close(story, id)).json;
    expect(closed).toMatchObject({ status: "CLOSED", balance: { amount: 0 } });
    expect((await story.call("GET", `/internal-accounts/${id}`)).json).toEqual(closed);
    expect((await close(story, id)).status).toBe(409);
    const payee = await bankAccount(story, { customerId });
    const euros = await euroAccount(story);
    const quoted = (source: string, destination: string) =>
      story.call("POST", "/quotes", {
        source: { sourceType: "ACCOUNT", accountId: source },
        destination: { destinationType: "ACCOUNT", accountId: destination },
        ...{ lockedCurrencySide: "SENDING", lockedCurrencyAmount: 100 },
      });
    const transfer = (path: string, source: string, destination: string) =>
      story.call("POST", path, {
        source: { accountId: source },
        destination: { accountId: destination },
        amount: 100,
      });
    const refused = [
      await move(story, accountId, id),
      await move(story, id, accountId),
      await transfer("/transfer-out", id, payee),
      await transfer("/transfer-in", payee, id),
      await quoted(id, euros),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    const fund = await story.call("POST", `/sandbox/internal-accounts/${id}/fund`, { amount: 5 });
    expect(fund.status).toBe(409);
    for (const path of ["funding-instructions", "close"]) {
      expect((await story.call("POST", `/internal-accounts/${id}/${path}`)).status).toBe(409);
    }
  });

  it("is not closed while a payment to it is under way", async () => {
    const story = await openStory(server);
    const { customerId } = await fundedCustomer(story, 0);
    const id = await opened(story, { customerId });
    const source = await bankAccount(story, { customerId, suffix: "005" });
    const body = { source: { accountId: source }, destination: { accountId: id }, amount: 100 };
    expectStatus(201, await story.call("POST", "/transfer-in", body));
    expect((await close(story, id)).json.details).toMatchObject({ balance: 0, payments: 1 });
    await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    await story.settle();
    expectStatus(200, await close(story, id));
  });

  it("is shown closed where its customer is frozen, and can be closed then", async () => {
    const story = await openStory(server);
    const { customerId } = await fundedCustomer(story, 0);
    const id = await opened(story, { customerId });
    await story.call("POST", `/customers/${customerId}/freeze`, { reason: "OTHER", scope: "ALL" });
    expect((await story.call("GET", `/internal-accounts/${id}`)).json.status).toBe("FROZEN");
    expect(expectStatus(200, await close(story, id)).json.status).toBe("CLOSED");
    expect(present(await balanceOf(story, id), "a balance")).toBe(0);
  });
});

describe("an account of a production platform", () => {
  it("has instructions once they are requested; when it is closed, what comes waits in suspense", async () => {
    const story = await openStory(server, { environment: "PRODUCTION" });
    const { payeeId } = await payerOf(story, 0);
    const desk = await fundedDesk(story);
    await routeTo(story, desk);
    const id = await opened(story);
    expect(await instructionsOf(story, id)).toEqual([]);
    expectStatus(200, await story.call("POST", `/internal-accounts/${id}/funding-instructions`));
    const remittance = await referenceOf(story, id);
    expect(await credit(story, desk, { remittance })).toMatchObject({ bookedAs: "DEPOSIT" });
    const out = await story.call("POST", "/transfer-out", {
      source: { accountId: id },
      destination: { accountId: payeeId },
      amount: 1_000,
    });
    const order = await paymentOf(story, expectStatus(201, out).json.id);
    expect((await close(story, id)).json.details).toMatchObject({ held: 1_000, payments: 1 });
    const mark = (outcome: string) =>
      story.call("POST", `/rails/payments/${order.id}/mark`, { outcome });
    expectStatus(200, await mark("SETTLED"));
    expectStatus(200, await close(story, id));
    expectStatus(200, await mark("RETURNED"));
    expect(await credit(story, desk, { remittance })).toMatchObject({ bookedAs: "SUSPENSE" });
    const { data } = (await story.call("GET", "/rails/items?limit=100")).json;
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual([
      "ACCOUNT_CLOSED",
      "ACCOUNT_CLOSED",
    ]);
    expect(await instructionsOf(story, id)).toEqual([]);
    expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
  });
});
