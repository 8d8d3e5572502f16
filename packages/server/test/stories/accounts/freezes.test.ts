/** Frozen accounts and customers: what is refused, what goes on, and what is told. */
import { afterEach, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { fund, holdingsOf, internalAccount, rowCounts } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";
import { announce, umaStage } from "../../kit/story-uma.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

const BALANCE = 10_000;

const server = await sharedServer();
afterEach(() => endReceivers());

interface Stage extends Funded {
  readonly story: Story;
  readonly bank: string;
  readonly euros: string;
  readonly platformUsd: string;
}

async function stage(): Promise<Stage> {
  const story = await openStory(server);
  const funded = await fundedCustomer(story, BALANCE);
  const platformUsd = await internalAccount(story, { currency: "USD" });
  await fund(story, platformUsd, BALANCE);
  const { customerId } = funded;
  const bank = await bankAccount(story, { suffix: "789", customerId });
  return { story, ...funded, bank, platformUsd, euros: await euroAccount(story, customerId) };
}

const path = ({ accountId, customerId }: Stage, what: "account" | "customer") =>
  what === "account" ? `/internal-accounts/${accountId}` : `/customers/${customerId}`;

async function freeze(at: Stage, what: "account" | "customer", body: object = {}) {
  const answer = await at.story.call("POST", `${path(at, what)}/freeze`, {
    reason: "SUSPECTED_FRAUD",
    ...body,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

function quoteOf({ accountId, euros, customerId }: Stage, more: object = {}) {
  return {
    source: { sourceType: "ACCOUNT", accountId, customerId },
    destination: { destinationType: "ACCOUNT", accountId: euros },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000,
    ...more,
  };
}

const book = (from: string, to: string, amount = 100) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount,
});

/** Each way in which money leaves the account. */
const debits: readonly (readonly [string, string, (at: Stage) => object])[] = [
  ["a transfer out", "/transfer-out", (at) => book(at.accountId, at.bank)],
  ["a book transfer", "/transfers", (at) => book(at.accountId, at.platformUsd)],
  ["a quote", "/quotes", (at) => quoteOf(at)],
  ["a quote that executes at once", "/quotes", (at) => quoteOf(at, { immediatelyExecute: true })],
];

const credits: readonly (readonly [string, string, (at: Stage) => object])[] = [
  ["a transfer in", "/transfer-in", (at) => book(at.bank, at.accountId)],
  ["a book transfer", "/transfers", (at) => book(at.platformUsd, at.accountId)],
];

describe("a frozen account", () => {
  const [what, code] = ["account", "ACCOUNT_FROZEN"] as const;

  it.each(debits)("refuses %s, and leaves nothing behind", async (_what, call, body) => {
    const at = await stage();
    await freeze(at, what);
    const counts = await rowCounts(at.story);
    const refused = await at.story.call("POST", call, body(at));
    expect(refused).toMatchObject({ status: 409, json: { code } });
    expect(refused.json.details.frozen).toMatchObject({
      reason: "SUSPECTED_FRAUD",
      scope: "DEBITS",
    });
    expect(await rowCounts(at.story)).toEqual(counts);
    const lifted = await at.story.call("POST", `${path(at, what)}/unfreeze`);
    expect(lifted.status).toBe(200);
    expect(lifted.json).not.toHaveProperty("frozen");
    expect((await at.story.call("POST", call, body(at))).status).toBe(201);
  });

  it.each(credits)("takes %s, unless the scope is ALL", async (_what, call, body) => {
    const at = await stage();
    await freeze(at, what);
    expect((await at.story.call("POST", call, body(at))).status).toBe(201);
    await freeze(at, what, { scope: "ALL" });
    expect(await at.story.call("POST", call, body(at))).toMatchObject({
      status: 409,
      json: { code },
    });
  });

  it("takes sandbox money, unless the scope is ALL", async () => {
    const at = await stage();
    const give = () =>
      at.story.call("POST", `/sandbox/internal-accounts/${at.accountId}/fund`, { amount: 5 });
    await freeze(at, what);
    expect((await give()).status).toBe(200);
    await freeze(at, what, { scope: "ALL" });
    expect(await give()).toMatchObject({ status: 409, json: { code } });
  });

  it("does not execute a quote that was made before", async () => {
    const at = await stage();
    const quote = await at.story.call("POST", "/quotes", quoteOf(at));
    await freeze(at, what);
    const refused = await at.story.call("POST", `/quotes/${quote.json.id}/execute`);
    expect(refused).toMatchObject({ status: 409, json: { code } });
    expect((await holdingsOf(at.story, at.accountId)).available).toBe(BALANCE);
  });

  it("does not stop an earlier payment, and is credited with its refund", async () => {
    const at = await stage();
    const failing = await bankAccount(at.story, { suffix: "004", customerId: at.customerId });
    const sent = await at.story.call("POST", "/transfer-out", book(at.accountId, at.bank, 1_000));
    const failed = await at.story.call("POST", "/transfer-out", book(at.accountId, failing, 500));
    await freeze(at, what, { scope: "ALL" });
    await at.story.settle();
    const statusOf = async (id: string) => (await at.story.call("GET", `/transactions/${id}`)).json;
    expect(await statusOf(sent.json.id)).toMatchObject({ status: "COMPLETED" });
    expect(await statusOf(failed.json.id)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED" },
    });
    expect(await holdingsOf(at.story, at.accountId)).toEqual({
      available: BALANCE - 1_000,
      total: BALANCE - 1_000,
    });
  });

  it("refuses an agent's order", async () => {
    const story = await openStory(server);
    const agent = await connectedAgent(story);
    const at = `/internal-accounts/${agent.accountId}`;
    await story.call("POST", `${at}/freeze`, { reason: "LEGAL_ORDER" });
    expect(await agent.pay(100)).toMatchObject({ status: 409, json: { code } });
  });

  it.each([
    [{}, "reason"],
    [{ reason: "BECAUSE" }, "reason"],
    [{ reason: "OTHER", scope: "SOME" }, "scope"],
    [{ reason: "OTHER", note: 7 }, "note"],
    [{ reason: "OTHER", note: "x".repeat(501) }, "note"],
  ])("is not made from %j", async (body, field) => {
    const at = await stage();
    const answer = await at.story.call("POST", `${path(at, what)}/freeze`, body);
    expect(answer).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(answer.text).toContain(field);
  });
});

/** What a customer's freeze stops at an account: src/domain/accounts/freezes/freeze.test.ts. */
it("a frozen customer pays from no account, and takes nothing with the scope ALL", async () => {
  const at = await stage();
  await freeze(at, "customer");
  const refused = await at.story.call("POST", "/transfer-out", book(at.accountId, at.bank));
  expect(refused).toMatchObject({
    status: 409,
    json: { code: "CUSTOMER_FROZEN", details: { frozen: { scope: "DEBITS" } } },
  });
  const pull = () => at.story.call("POST", "/transfer-in", book(at.bank, at.accountId));
  expect((await pull()).status).toBe(201);
  await freeze(at, "customer", { scope: "ALL" });
  expect(await pull()).toMatchObject({ status: 409, json: { code: "CUSTOMER_FROZEN" } });
  const body = { reason: "BECAUSE" };
  const wrong = await at.story.call("POST", `${path(at, "customer")}/freeze`, body);
  expect(wrong).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  expect((await at.story.call("POST", `${path(at, "customer")}/unfreeze`)).status).toBe(200);
  const made = await at.story.call("POST", "/transfer-out", book(at.accountId, at.bank));
  expect(made.status).toBe(201);
});

describe.each(["account", "customer"] as const)("a frozen %s", (what) => {
  it("shows the freeze without its note, and keeps its time when it is replaced", async () => {
    const at = await stage();
    const first = await freeze(at, what, { note: "canary-note-4711" });
    const second = await freeze(at, what, { reason: "LEGAL_ORDER", scope: "ALL" });
    expect(second.frozen).toEqual({ ...first.frozen, reason: "LEGAL_ORDER", scope: "ALL" });
    const query = `customerId=${at.customerId}&currency=USD`;
    const accounts = await at.story.call("GET", `/customers/internal-accounts?${query}`);
    expect(accounts.json.data[0]).toMatchObject({ status: "FROZEN", frozen: second.frozen });
    expect(JSON.stringify([first, accounts.json])).not.toContain("canary-note");
  });

  it("is not sent to a default endpoint, and other events are", async () => {
    const at = await stage();
    const receiver = await listenTo(at.story);
    await freeze(at, what);
    await at.story.call("POST", `${path(at, what)}/unfreeze`);
    await at.story.call("POST", "/transfers", book(at.accountId, at.platformUsd));
    await at.story.settle();
    const types = (await receiver.events()).map(({ type }) => type);
    expect(types.filter((type) => type.endsWith("FROZEN"))).toEqual([]);
    expect(types).toContain("OUTGOING_PAYMENT.COMPLETED");
  });

  it("cannot be lifted where there is no freeze", async () => {
    const at = await stage();
    const lifted = await at.story.call("POST", `${path(at, what)}/unfreeze`);
    expect(lifted).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    expect(lifted.json.message).toContain(`The ${what} is not frozen.`);
  });
});

describe("a customer who is frozen", () => {
  it("gets accounts that are frozen too", async () => {
    const at = await stage();
    await freeze(at, "customer");
    const changed = await at.story.call("PATCH", `/customers/${at.customerId}`, {
      customerType: "INDIVIDUAL",
      currencies: ["USD", "BTC"],
    });
    expect(changed.status, changed.text).toBe(200);
    const { customerId } = at;
    const accounts = await at.story.call(
      "GET",
      `/customers/internal-accounts?customerId=${customerId}`,
    );
    const statuses = accounts.json.data.map(({ status }: { readonly status: string }) => status);
    expect(statuses).toEqual(["FROZEN", "FROZEN"]);
  });

  it("stays frozen in an account whose own freeze is lifted", async () => {
    const at = await stage();
    await freeze(at, "customer", { reason: "COMPLIANCE" });
    await freeze(at, "account", { scope: "ALL" });
    const lifted = await at.story.call("POST", `${path(at, "account")}/unfreeze`);
    expect(lifted.json).toMatchObject({ status: "FROZEN", frozen: { reason: "COMPLIANCE" } });
  });

  it("takes no credit with the scope ALL where the account's own freeze stops debits alone", async () => {
    const at = await stage();
    await freeze(at, "customer", { scope: "ALL" });
    await freeze(at, "account", { scope: "DEBITS" });
    const refused = await at.story.call("POST", "/transfers", book(at.platformUsd, at.accountId));
    expect(refused).toMatchObject({ status: 409, json: { code: "CUSTOMER_FROZEN" } });
  });

  it("takes an incoming UMA payment, unless the scope is ALL", async () => {
    const at = await umaStage(server, { status: 200, body: "{}" });
    const customer = `/customers/${at.customerId}`;
    await at.story.call("POST", `${customer}/freeze`, { reason: "OTHER" });
    expect((await announce(at)).status).toBe(200);
    await at.story.call("POST", `${customer}/freeze`, { reason: "OTHER", scope: "ALL" });
    const refused = await announce(at);
    expect(refused).toMatchObject({ status: 409, json: { code: "CUSTOMER_FROZEN" } });
  });

  it("is unknown where it does not exist, and gone where it was deleted", async () => {
    const story = await openStory(server);
    const unknown = "Customer:019a4f00-0000-7000-8000-0000000000ee";
    const body = { reason: "OTHER" };
    expect(await story.call("POST", `/customers/${unknown}/freeze`, body)).toMatchObject({
      status: 404,
      json: { code: "USER_NOT_FOUND" },
    });
    const { customerId } = await fundedCustomer(story, 0);
    await story.call("DELETE", `/customers/${customerId}`);
    expect(await story.call("POST", `/customers/${customerId}/freeze`, body)).toMatchObject({
      status: 410,
      json: { code: "CUSTOMER_DELETED" },
    });
  });
});

describe("a payment beside a freeze", () => {
  it("is not executed when its payee was frozen with the scope ALL meanwhile", async () => {
    const at = await stage();
    const other = await at.story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Eva Ott",
      currencies: ["EUR"],
    });
    const euros = await internalAccount(at.story, { customerId: other.json.id, currency: "EUR" });
    const quote = await at.story.call("POST", "/quotes", quoteOf({ ...at, euros }));
    await at.story.call("POST", `/internal-accounts/${euros}/freeze`, {
      reason: "OTHER",
      scope: "ALL",
    });
    const refused = await at.story.call("POST", `/quotes/${quote.json.id}/execute`);
    expect(refused).toMatchObject({ status: 409, json: { code: "ACCOUNT_FROZEN" } });
  });

  it("is not executed with money from outside when its customer was frozen meanwhile", async () => {
    const at = await stage();
    const quote = await at.story.call("POST", "/quotes", quoteOf({ ...at, accountId: at.bank }));
    await freeze(at, "customer");
    const refused = await at.story.call("POST", `/quotes/${quote.json.id}/execute`);
    expect(refused).toMatchObject({ status: 409, json: { code: "CUSTOMER_FROZEN" } });
    await at.story.call("POST", `${path(at, "customer")}/unfreeze`);
    expect((await at.story.call("POST", `/quotes/${quote.json.id}/execute`)).status).toBe(200);
  });

  it("never begins after a freeze, with transfers and the freeze at once", async () => {
    const at = await stage();
    const sends = Array.from({ length: 20 }, () =>
      at.story.call("POST", "/transfers", book(at.accountId, at.platformUsd, 10)),
    );
    const frozen = freeze(at, "account");
    const answers = await Promise.all(sends);
    await frozen;
    const made = answers.filter(({ status }) => status === 201).length;
    expect((await holdingsOf(at.story, at.accountId)).available).toBe(BALANCE - 10 * made);
    const since = Date.parse((await frozen).frozen.since);
    for (const { status, json } of answers) {
      if (status === 201) expect(Date.parse(json.createdAt)).toBeLessThanOrEqual(since);
      else expect(json.code).toBe("ACCOUNT_FROZEN");
    }
  });
});
