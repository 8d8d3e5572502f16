/** How payments to another institution end, who may ask for them, and that an invoice is paid once. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { quoteInvoiceId } from "../../../src/domain/payments/quotes/quote-invoice.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { bankAccount } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { agree } from "../../kit/story-approvals.ts";
import { holdingsOf, systemBalances } from "../../kit/story-money.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { BOB, openPays, type PaysStory } from "../../kit/story-uma-pays.ts";

let story: PaysStory;
beforeAll(async () => {
  story = await openPays();
});
afterAll(() => story.close());
beforeEach(() => {
  const { payee, connector } = story;
  payee.invoices.asked.length = 0;
  payee.invoices.invoice = undefined;
  payee.pay = undefined;
  connector.report = () => ({ status: "accepted" });
  story.invoiceMs = 600_000;
});

const held = () => holdingsOf(story.bank, story.accountId);
const asked = () => story.payee.invoices.asked.length;

/** A quote that was executed; its transaction. */
async function paid(): Promise<string> {
  const { id, transactionId } = expectStatus(201, await story.quote()).json;
  expectStatus(200, await story.execute(id));
  await story.bank.settle();
  return transactionId;
}

describe("a payment by an invoice", () => {
  it("that is declined is refunded, and says that Lightning did not carry it", async () => {
    const before = await held();
    story.connector.report = () => ({ status: "declined", code: "NOPATH", text: "no route" });
    const id = await paid();
    expect(await transactionOf(story.bank, id)).toMatchObject({
      status: "FAILED",
      failureReason: "LIGHTNING_PAYMENT_FAILED",
      refund: { status: "COMPLETED" },
    });
    expect(await held()).toEqual(before);
  });

  it("that hangs is PROCESSING for as long as it takes, and completes after the end of its invoice", async () => {
    story.invoiceMs = 46_000;
    const id = await paid();
    story.pass(47_000);
    await story.bank.settle();
    expect((await transactionOf(story.bank, id)).status).toBe("PROCESSING");
    await story.report(id, { status: "settled" });
    expect((await transactionOf(story.bank, id)).status).toBe("COMPLETED");
  });

  it("that comes back is converted at the rate of that day", async () => {
    story.connector.report = () => ({ status: "settled" });
    const before = await held();
    const id = await paid();
    expect((await held()).total).toBe(before.total - 801);
    await story.report(id, { status: "returned", code: "NARR", amount: "10000500" });
    await story.bank.settle();
    expect(await transactionOf(story.bank, id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      refund: { status: "COMPLETED" },
    });
    // 10,000,500 millisatoshis are 800.04 cents: the platform keeps the rest.
    expect((await held()).total).toBe(before.total - 1);
  });

  it("begins with the quote where that is asked for", async () => {
    story.connector.report = () => ({ status: "settled" });
    const made = expectStatus(201, await story.quote({ more: { immediatelyExecute: true } })).json;
    await story.bank.settle();
    expect((await transactionOf(story.bank, made.transactionId)).status).toBe("COMPLETED");
  });

  it("waits for money that is pulled first", async () => {
    const { bank, connector } = story;
    const desk = await activeConnection(bank, manualConnection());
    await routeTo(bank, desk, { direction: "PULL", name: "pulls" });
    const payerAccount = await bankAccount(bank);
    connector.report = () => ({ status: "settled" });
    const more = {
      source: { sourceType: "ACCOUNT", accountId: payerAccount },
      senderCustomerInfo: { REGISTRATION_NUMBER: "HRB 1234" },
    };
    const lookupId = await story.look();
    const made = expectStatus(201, await story.quote({ more: { ...more, lookupId } })).json;
    expect(story.payee.invoices.asked[0]?.json.payerData.identifier).toBe("$platform@bank.test");
    expectStatus(200, await story.execute(made.id));
    await bank.settle();
    const collection = await paymentOf(bank, made.transactionId);
    const mark = { outcome: "SETTLED" };
    expectStatus(200, await bank.call("POST", `/rails/payments/${collection.id}/mark`, mark));
    await bank.settle();
    expect((await transactionOf(bank, made.transactionId)).status).toBe("COMPLETED");
  });

  it("expires before its invoice, and cannot be executed then", async () => {
    story.invoiceMs = 60_000;
    const { id, createdAt, expiresAt } = expectStatus(201, await story.quote()).json;
    const livesMs = Date.parse(expiresAt) - Date.parse(createdAt);
    expect(livesMs).toBeGreaterThan(40_000);
    expect(livesMs).toBeLessThanOrEqual(45_000);
    story.pass(46_000);
    const refused = await story.execute(id);
    expect([refused.status, refused.json.code]).toEqual([409, "QUOTE_EXPIRED"]);
  });
});

describe("an invoice", () => {
  it("is in one quote, of all platforms", async () => {
    const told = [400, "INVALID_PAYREQ_RESPONSE", { reason: "INVOICE_USED" }];
    const wish = async () => {
      const { status, json } = await story.quote();
      return [status, json.code, json.details];
    };
    story.payee.invoices.invoice = "lnbc10000500xsame";
    expectStatus(201, await story.quote());
    expect(await wish()).toMatchObject(told);
    story.payee.invoices.invoice = "lnbc10000500xelsewhere";
    const id = quoteInvoiceId({ layer: "ln", invoice: "lnbc10000500xelsewhere" });
    await story.server.database.asSuperuser(async (client) => {
      const row = [randomUUID(), id, randomUUID()];
      const text = "insert into quote_invoices (platform_id, id, quote_id, created_at)";
      await client.query(`${text} values ($1, $2, $3, now())`, row);
      expect(await wish()).toMatchObject(told);
      await client.query("delete from quote_invoices where platform_id = $1", [row[0]]);
    });
  });
});

describe("a call", () => {
  it("that is repeated under its key asks the institution once", async () => {
    const wish = {
      more: { lookupId: await story.look() },
      key: randomUUID(),
    };
    const first = expectStatus(201, await story.quote(wish));
    const again = expectStatus(201, await story.quote(wish));
    expect([again.text, asked()]).toEqual([first.text, 1]);
  });

  it("that the institution has refused may be repeated under its key", async () => {
    const wish = {
      more: { lookupId: await story.look() },
      key: randomUUID(),
    };
    story.payee.pay = (request) => request.socket.destroy();
    expect((await story.quote(wish)).status).toBe(424);
    story.payee.pay = undefined;
    expectStatus(201, await story.quote(wish));
  });

  it("of which two are sent at once makes one quote", async () => {
    const wish = {
      more: { lookupId: await story.look() },
      key: randomUUID(),
    };
    const [one, other] = await Promise.all([story.quote(wish), story.quote(wish)]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.text).toBe(other.text);
  });

  it("that this side refuses asks nobody, and its refusal is stored", async () => {
    const wish = {
      amount: 999_000,
      more: { immediatelyExecute: true, lookupId: await story.look() },
      key: randomUUID(),
    };
    // 999,000 × 10,000.5 ÷ 12,500 cents are 799,239.96: less than the account has.
    const empty = expectStatus(
      201,
      await story.bank.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
        fullName: "Eva Poor",
        birthDate: "1990-02-01",
        currencies: ["USD"],
      }),
    ).json.id;
    const accounts = `/customers/internal-accounts?customerId=${empty}&currency=USD`;
    const accountId = (await story.bank.call("GET", accounts)).json.data[0].id;
    const source = { sourceType: "ACCOUNT", accountId };
    const poor = { ...wish, more: { ...wish.more, source } };
    const refused = await story.quote(poor);
    expect([refused.status, refused.json.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    expect((await story.quote(poor)).text).toBe(refused.text);
    expect(asked()).toBe(0);
  });
});

it("an agent pays for its customer, of whom it can only add to what is known", async () => {
  const { bank, customerId, accountId } = story;
  const agent = await connectedAgent(bank, { customer: { customerId, accountId } });
  const body = {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: BOB },
    lookupId: "",
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: 1_000,
    senderCustomerInfo: {
      ...{ FULL_NAME: "Somebody Else", COUNTRY_OF_RESIDENCE: "DE" },
      ...{ ACCOUNT_IDENTIFIER: "$else@bank.test", FI_LEGAL_ENTITY_NAME: "Another Bank" },
    },
  };
  story.payee.edit = (answer) => {
    Object.assign(answer.payerData, { accountNumber: {}, fiLegalEntityName: {} });
  };
  body.lookupId = await story.look();
  story.payee.edit = undefined;
  const made = expectStatus(201, await agent.call("POST", "/quotes", body)).json;
  const { payerData } = story.payee.invoices.asked[0]?.json ?? {};
  expect(payerData).toMatchObject({
    ...{ name: "Ana Ruiz", countryCode: "DE" },
    accountNumber: "$ana@bank.test",
  });
  expect(payerData.fiLegalEntityName).not.toBe("Another Bank");
  story.connector.report = () => ({ status: "settled" });
  expectStatus(200, await agent.execute(made.id));
  await bank.settle();
  expect((await transactionOf(bank, made.transactionId)).status).toBe("COMPLETED");
});

it("an order that waited for another person is looked up and asked for again", async () => {
  const { bank, server, workspaceId } = story;
  const owner = await makeOwner(server, workspaceId);
  const finance = await makePerson(owner, ["FINANCE"]);
  const approver = await makePerson(owner, ["APPROVER"]);
  const { id } = expectStatus(201, await story.quote()).json;
  const at = finance.browser.at(bank.platformId);
  const waiting = expectStatus(202, await at("POST", `/quotes/${id}/execute`)).json;
  story.connector.report = () => ({ status: "settled" });
  const done = expectStatus(200, await agree(approver.browser, waiting.id)).json;
  expect(done.state).toBe("DONE");
  expect([done.resultId === id, asked()]).toEqual([false, 2]);
  await bank.settle();
  const { transactionId } = (await bank.call("GET", `/quotes/${done.resultId}`)).json;
  expect((await transactionOf(bank, transactionId)).status).toBe("COMPLETED");
});

// The last one: the connection stays degraded.
it("an order that is not sent before the end of its invoice is cancelled and refunded", async () => {
  const { bank, connector } = story;
  const usual = connector.reply;
  connector.reply = (call) => (call.method === "PUT" ? { status: 401, body: {} } : usual(call));
  await paid();
  const before = await held();
  story.invoiceMs = 46_000;
  const id = await paid();
  expect(await paymentOf(bank, id)).toMatchObject({ state: "QUEUED" });
  expect((await held()).available).toBe(before.available - 801);
  story.pass(47_000);
  await bank.settle();
  expect(await transactionOf(bank, id)).toMatchObject({
    status: "FAILED",
    failureReason: "QUOTE_EXPIRED",
    refund: { status: "COMPLETED" },
  });
  expect(await held()).toEqual(before);
  expect(await systemBalances(bank, "USD")).not.toHaveProperty("suspense");
});
