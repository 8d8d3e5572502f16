/**
 * Payers who write an `endToEndId` of ours into their payment, as it stands on the statement of a payee: the money is an item, and nothing
 * comes back, is given back or is settled by it.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import type { RawAnswer } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { systemBalances } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../../kit/story-quotes.ts";
import { balanceOf, eventsAbout, expectStatus, transactionOf } from "../../kit/story-rails.ts";
import {
  type Bank,
  openBank,
  setEuroRate,
  settledOrder,
  tellLine,
  tellReport,
} from "../../kit/story-returns.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const DAY_MS = 86_400_000;

let server: TestServer;
let connector: TestConnector;
let bank: Bank;
beforeAll(async () => {
  connector = await openConnector();
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings });
});
beforeEach(async () => {
  connector.features = undefined;
  bank = await openBank(server, connector);
  await setEuroRate(bank, "1.25");
});
afterEach(async () => {
  await bank.story.settle();
  expect(await foundAfter({ server, story: bank.story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

type Json = RawAnswer["json"];

const orderNow = async (id: string): Promise<Json> =>
  (await bank.story.call("GET", `/rails/payments/${id}`)).json;

async function paidOut(
  amount: number,
  more: { readonly settledOn?: string } = {},
): Promise<{ readonly id: string; readonly order: Json }> {
  const { id } = expectStatus(201, await bank.payer.pay(amount)).json;
  return { id, order: await settledOrder(bank, id, more) };
}

/** A quote of 1,000 dollars into euros, which was paid out. */
async function exchanged(): Promise<Json> {
  const to = await euroAccount(bank.story);
  const wish = { from: bank.payer.accountId, to, amount: 100_000 };
  const quote = expectStatus(201, await askQuote(bank.story, wish)).json;
  expectStatus(200, await execute(bank.story, quote.id));
  const order = await settledOrder(bank, quote.transactionId);
  return { ...quote, order };
}

describe("a credit that quotes a payout which has settled", () => {
  it("of one cent does not undo it, and costs the platform nothing", async () => {
    const { id, order } = await paidOut(1_000_000);
    const before = await balanceOf(bank.story, bank.payer.accountId);
    const line = { amount: 1, currency: "USD", reference: order.endToEndId };
    const { entry, item } = await tellLine(bank, line);
    expect(entry).toMatchObject({ bookedAs: "SUSPENSE" });
    expect(entry).not.toHaveProperty("paymentId");
    expect(item).toMatchObject({ reason: "UNREFERENCED", suggestedPaymentId: order.id });
    expect((await transactionOf(bank.story, id)).status).toBe("COMPLETED");
    expect(await orderNow(order.id)).toMatchObject({ state: "SETTLED", conflict: false });
    expect(await balanceOf(bank.story, bank.payer.accountId)).toBe(before);
    expect(await systemBalances(bank.story)).not.toHaveProperty("own-funds");
  });

  it("gives an agent nothing of its limits back", async () => {
    const limits = { currency: "USD", perTransactionLimit: 10_000, dailyLimit: 10_000 };
    const policy = { spendingLimits: limits };
    const agent = await connectedAgent(bank.story, { policy, funds: 0 });
    const gift = {
      source: { accountId: bank.payer.accountId },
      destination: { accountId: agent.accountId },
      amount: 50_000,
    };
    expectStatus(201, await bank.story.call("POST", "/transfers", gift));
    const paid = expectStatus(201, await agent.pay(10_000)).json;
    const order = await settledOrder(bank, paid.transaction.id);
    await tellLine(bank, { amount: 1, currency: "USD", reference: order.endToEndId });
    await bank.story.settle();
    const again = await agent.pay(10_000);
    expect([again.status, again.json.details.rule]).toEqual([403, "DAILY_LIMIT"]);
  });

  it("does not make a refund repeatable", async () => {
    const { id } = await collected(100_000);
    for (const status of [201, 409]) {
      const refund = await bank.story.call("POST", `/transactions/${id}/refund`, {
        reason: "OTHER",
      });
      expectStatus(status, refund);
      if (status !== 201) break;
      const order = await settledOrder(bank, refund.json.id);
      await tellLine(bank, { amount: 1, currency: "USD", reference: order.endToEndId });
    }
    const original = await transactionOf(bank.story, id);
    expect(original).toMatchObject({ status: "REFUNDED", refundedAmount: { amount: 100_000 } });
  });

  it("undoes no exchange at the rate of that time", async () => {
    const { transactionId, order } = await exchanged();
    await setEuroRate(bank, "1.10");
    const before = await balanceOf(bank.story, bank.payer.accountId);
    const { amount } = order.amount;
    const { item } = await tellLine(bank, {
      amount,
      currency: "EUR",
      remittance: order.endToEndId,
    });
    expect(item).toMatchObject({ suggestedPaymentId: order.id });
    expect((await transactionOf(bank.story, transactionId)).status).toBe("COMPLETED");
    expect(await balanceOf(bank.story, bank.payer.accountId)).toBe(before);
    // A person who finds it right gives back what it is worth now.
    const part = { kind: "PAYMENT", amount, paymentId: order.id, outcome: "RETURNED" };
    const path = `/rails/items/${item.id}/resolve`;
    expectStatus(200, await bank.story.call("POST", path, { parts: [part], note: "a return" }));
    await bank.story.settle();
    const worth = Math.floor((amount * 11) / 10);
    expect(await balanceOf(bank.story, bank.payer.accountId)).toBe(before + worth);
    expect((await transactionOf(bank.story, transactionId)).refund).toMatchObject({
      status: "COMPLETED",
      amount: { amount: worth, currency: { code: "USD" } },
      returnedAmount: { amount, currency: { code: "EUR" } },
      exchangeRate: 1.1,
    });
  });
});

async function collected(amount: number): Promise<{ readonly id: string; readonly order: Json }> {
  const { id, order } = await openCollection(amount);
  await tellReport(bank, order.id, { status: "settled" });
  return { id, order };
}

async function openCollection(amount: number) {
  const { payeeId, accountId } = bank.payer;
  const pulled = await bank.story.call("POST", "/transfer-in", {
    source: { accountId: payeeId },
    destination: { accountId },
    amount,
  });
  const { id } = expectStatus(201, pulled).json;
  await bank.story.settle();
  const query = `/rails/payments?transactionId=${id}`;
  return { id: id as string, order: (await bank.story.call("GET", query)).json.data[0] };
}

describe("a credit that quotes an open collection", () => {
  it("does not settle it, unless the rail itself names the order", async () => {
    const { id, order } = await openCollection(5_000);
    const line = { amount: 5_000, currency: "USD" };
    const { item } = await tellLine(bank, { ...line, reference: order.endToEndId });
    expect(item).toMatchObject({ reason: "UNREFERENCED", suggestedPaymentId: order.id });
    expect((await transactionOf(bank.story, id)).status).toBe("PENDING");
    const paymentId = order.id.slice("RailPayment:".length);
    const told = await tellLine(bank, { ...line, paymentId });
    expect(told.entry).toMatchObject({ bookedAs: "PAYMENT", paymentId: order.id });
    expect((await transactionOf(bank.story, id)).status).toBe("COMPLETED");
  });
});

describe("a return that the rail tells", () => {
  const bare = (order: Json) => order.id.slice("RailPayment:".length);

  it("is an item when it comes after the days of the scheme, and a person may still take it", async () => {
    const path = `/rails/connections/${bank.connectionId}`;
    const body = { control: { returnDays: 2 }, calendar: { timeZone: "UTC", holidays: "NONE" } };
    const { json } = expectStatus(200, await bank.story.call("PATCH", path, body));
    expect(json.control.returnDays).toBe(2);
    const [first, second] = [await paidOut(1_000), await paidOut(1_000)];
    const dayOf = (order: Json, days: number) =>
      new Date(Date.parse(order.settledOn) + days * DAY_MS).toISOString().slice(0, 10);
    const line = (order: Json, days: number) => ({
      ...{ amount: 1_000, currency: "USD", paymentId: bare(order) },
      bookedAt: dayOf(order, days),
    });
    const inTime = await tellLine(bank, line(first.order, 2));
    expect(inTime.entry).toMatchObject({ bookedAs: "RETURN" });
    const late = await tellLine(bank, line(second.order, 3));
    expect(late.item).toMatchObject({ reason: "LATE", suggestedPaymentId: second.order.id });
    expect(await orderNow(second.order.id)).toMatchObject({ state: "SETTLED", conflict: true });
    const part = { kind: "PAYMENT", amount: 1_000, paymentId: second.order.id };
    const resolution = { parts: [{ ...part, outcome: "RETURNED" }], note: "the bank says so" };
    const resolve = `/rails/items/${late.item.id}/resolve`;
    expectStatus(200, await bank.story.call("POST", resolve, resolution));
    expect((await transactionOf(bank.story, second.id)).status).toBe("FAILED");
  });

  it("is judged by the day on which a report of it comes, ten banking days unless set", async () => {
    const path = `/rails/connections/${bank.connectionId}`;
    const calendar = { timeZone: "UTC", holidays: "NONE" };
    expectStatus(200, await bank.story.call("PATCH", path, { calendar }));
    const daysAgo = (days: number) =>
      new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
    const first = await paidOut(1_000, { settledOn: daysAgo(9) });
    await tellReport(bank, first.order.id, { status: "returned" });
    expect(await orderNow(first.order.id)).toMatchObject({ state: "RETURNED" });
    const settledOn = daysAgo(11);
    const second = await paidOut(1_000, { settledOn });
    await tellReport(bank, second.order.id, { status: "returned", settledOn });
    expect(await orderNow(second.order.id)).toMatchObject({ state: "SETTLED", conflict: true });
    expect((await transactionOf(bank.story, second.id)).status).toBe("COMPLETED");
  });

  it("of a quote is an item without a young rate", async () => {
    const { transactionId, order } = await exchanged();
    const path = `/rates/sources/${bank.sourceId}`;
    expectStatus(204, await bank.story.call("DELETE", path));
    const { amount } = order.amount;
    const { item } = await tellLine(bank, { amount, currency: "EUR", paymentId: bare(order) });
    expect(item).toMatchObject({ reason: "NO_RATE", suggestedPaymentId: order.id });
    expect((await transactionOf(bank.story, transactionId)).status).toBe("COMPLETED");
    const part = { kind: "PAYMENT", amount, paymentId: order.id, outcome: "RETURNED" };
    const resolve = `/rails/items/${item.id}/resolve`;
    const early = await bank.story.call("POST", resolve, { parts: [part], note: "a return" });
    expect([early.status, early.json.code]).toEqual([409, "CONFLICT"]);
  });

  it("of a quote that had not settled gives back what came too", async () => {
    const to = await euroAccount(bank.story);
    const wish = { from: bank.payer.accountId, to, amount: 100_000 };
    const quote = expectStatus(201, await askQuote(bank.story, wish)).json;
    expectStatus(200, await execute(bank.story, quote.id));
    await bank.story.settle();
    const query = `/rails/payments?transactionId=${quote.transactionId}`;
    const [order] = (await bank.story.call("GET", query)).json.data;
    const before = await balanceOf(bank.story, bank.payer.accountId);
    await tellReport(bank, order.id, { status: "returned" });
    await bank.story.settle();
    const worth = Math.floor((order.amount.amount * 5) / 4);
    expect(await balanceOf(bank.story, bank.payer.accountId)).toBe(before + worth);
  });

  it("of a quote that was declined gives back all of it, with the fee", async () => {
    const to = await euroAccount(bank.story);
    const before = await balanceOf(bank.story, bank.payer.accountId);
    const wish = { from: bank.payer.accountId, to, amount: 100_000 };
    const quote = expectStatus(201, await askQuote(bank.story, wish)).json;
    expectStatus(200, await execute(bank.story, quote.id));
    await bank.story.settle();
    const query = `/rails/payments?transactionId=${quote.transactionId}`;
    const [order] = (await bank.story.call("GET", query)).json.data;
    await tellReport(bank, order.id, { status: "declined", reason: { code: "AC04" } });
    await bank.story.settle();
    expect(await balanceOf(bank.story, bank.payer.accountId)).toBe(before);
    const { refund } = await transactionOf(bank.story, quote.transactionId);
    expect(refund.status).toBe("COMPLETED");
    expect(refund).not.toHaveProperty("amount");
  });

  it("tells with its events what was given back", async () => {
    const { id, order } = await paidOut(1_000);
    await tellLine(bank, { amount: 950, currency: "USD", paymentId: bare(order) });
    expect((await eventsAbout(bank.story, id)).at(-1)).toBe("OUTGOING_PAYMENT.REFUND_COMPLETED");
    const { json } = await bank.story.call("GET", `/events?resourceId=${id}&limit=1`);
    const { json: event } = await bank.story.call("GET", `/events/${json.data[0].id}`);
    expect(JSON.stringify(event)).toContain('"amount":{"amount":950');
  });
});

describe("a connector whose reports are all that it tells of returns", () => {
  it("has the line of a return that was not taken in suspense, once", async () => {
    connector.features = { settlesReturns: true };
    bank = await openBank(server, connector);
    const { id, order } = await paidOut(1_000);
    const report = { status: "returned", amount: "10" };
    await tellReport(bank, order.id, report);
    await tellReport(bank, order.id, report);
    const query = `connectionId=${bank.connectionId}`;
    const { data } = (await bank.story.call("GET", `/rails/items?${query}`)).json;
    expect(data).toMatchObject([{ reason: "AMOUNT_DIFFERS", suggestedPaymentId: order.id }]);
    expect((await transactionOf(bank.story, id)).status).toBe("COMPLETED");
    // Another line, which a person takes as the return.
    await tellReport(bank, order.id, { status: "returned", amount: "990" });
    const [item] = (await bank.story.call("GET", `/rails/items?${query}`)).json.data;
    expect(item).toMatchObject({ amount: { amount: 990 }, suggestedPaymentId: order.id });
    const part = { kind: "PAYMENT", amount: 990, paymentId: order.id, outcome: "RETURNED" };
    const path = `/rails/items/${item.id}/resolve`;
    expectStatus(200, await bank.story.call("POST", path, { parts: [part], note: "a return" }));
    expect(await orderNow(order.id)).toMatchObject({
      state: "RETURNED",
      returned: { amount: 990 },
    });
    const entries = (await bank.story.call("GET", `/rails/entries?${query}`)).json.data;
    expect(entries.map(({ source }: Json) => source)).toEqual(["REPORT", "REPORT"]);
  });
});
