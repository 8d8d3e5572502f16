/** Quotes of production platforms: priced by the platform's sources, spreads and fees, paid by its connections, counted in its positions. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { holdingsOf, internalAccount, systemBalances } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute, type QuoteWish } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  eventsAbout,
  expectStatus,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";

const FUNDS = 1_000_000;

const server = await sharedServer();
let story: Story;
let from: string;
let to: string;
let desk: string;
let route: string;
let sourceId: string;
let desks = 0;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  ({ accountId: from } = await payerOf(story, FUNDS));
  to = await euroAccount(story);
  desk = await activeConnection(story, euroDesk());
  route = await routeTo(story, desk, { currency: "EUR", name: "euros" });
  sourceId = await source({ name: "desk", kind: "FIXED" });
  await setRates(sourceId, { EUR: "1.0850" });
});
afterEach(async () => {
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});

function euroDesk() {
  return {
    name: `euros ${++desks}`,
    kind: "MANUAL",
    currencies: ["EUR"],
    account: { holderName: "Acme Payments", label: "euros" },
    settings: { accountTypes: ["EUR_ACCOUNT"], paymentRails: ["SEPA", "SEPA_INSTANT"] },
  };
}

async function source(body: object): Promise<string> {
  return expectStatus(201, await story.call("POST", "/rates/sources", body)).json.id;
}

/** Dollars for one unit of each. */
async function setRates(id: string, rates: Readonly<Record<string, string>>, minutesAgo?: number) {
  const asOf =
    minutesAgo === undefined
      ? {}
      : { asOf: new Date(Date.now() - minutesAgo * 60_000).toISOString() };
  const table = Object.entries(rates).map(([base, rate]) => ({ base, quote: "USD", rate }));
  expectStatus(
    200,
    await story.call("PUT", `/rates/sources/${id}/rates`, { rates: table, ...asOf }),
  );
}

const putFees = async (...rules: readonly object[]) =>
  expectStatus(200, await story.call("PUT", "/fees", { rules })).json;
const putSpreads = async (...spreads: readonly object[]) =>
  expectStatus(200, await story.call("PUT", "/rates/spreads", { spreads })).json;
const ask = (more: Partial<QuoteWish> = {}) => askQuote(story, { from, to, ...more });
const made = async (more: Partial<QuoteWish> = {}) => expectStatus(201, await ask(more)).json;
const refusalOf = ({ status, json }: RawAnswer) => [status, json.code, json.details?.missing];
const mark = async (transactionId: string, outcome: string, more = {}) => {
  const { id } = await paymentOf(story, transactionId);
  return story.call("POST", `/rails/payments/${id}/mark`, { outcome, ...more });
};

async function executed(more: Partial<QuoteWish> = {}): Promise<RawAnswer["json"]> {
  const quote = await made(more);
  return expectStatus(200, await execute(story, quote.id)).json;
}

async function positions(): Promise<Readonly<Record<string, RawAnswer["json"]>>> {
  const { json } = expectStatus(200, await story.call("GET", "/fx/positions"));
  return Object.fromEntries(json.data.map((row: RawAnswer["json"]) => [row.currency, row]));
}

describe("a price", () => {
  it("is the source's rate, the spread and the fee, and says how it was made", async () => {
    await putSpreads({ from: "*", to: "*", bps: 900 }, { from: "USD", to: "EUR", bps: 50 });
    await putFees(
      { from: "USD", to: "*", fixedMinor: 9_000, bps: 0 },
      { from: "USD", to: "EUR", paymentRail: "SEPA", fixedMinor: 50, bps: 25 },
    );
    const quote = await made({ amount: 100_000 });
    // 100,000 − 50 − 250 (99,950 × 0.0025 = 249.875, half up) = 99,700; ÷ (1.0850 × 1.005) = 91,432.2…
    expect(quote).toMatchObject({
      status: "PENDING",
      totalSendingAmount: 100_000,
      totalReceivingAmount: 91_432,
      exchangeRate: 1.090425,
      feesIncluded: 300,
    });
    const price = expectStatus(200, await story.call("GET", `/rates/quotes/${quote.id}`)).json;
    expect(price).toMatchObject({
      quoteId: quote.id,
      rateSource: { id: sourceId, name: "desk" },
      mid: "217/200",
      spreadBps: 50,
      spreadsVersion: 1,
      rate: "43617/40000",
      feeRule: { fixedMinor: 50, bps: 25, paymentRail: "SEPA" },
      feesVersion: 1,
    });
    // The least that buys as much: 91,432 × 1.090425 = 99,699.7…; 99,700 + 300.
    const locked = await made({ amount: 91_432, side: "RECEIVING" });
    expect(locked).toMatchObject({ totalSendingAmount: 100_000, totalReceivingAmount: 91_432 });
    const other = await openStory(server, { environment: "PRODUCTION" });
    expectStatus(404, await other.call("GET", `/rates/quotes/${quote.id}`));
  });

  it("keeps what it was made with", async () => {
    await putFees({ from: "USD", to: "EUR", fixedMinor: 100, bps: 0 });
    const quote = await made();
    await putFees({ from: "USD", to: "EUR", fixedMinor: 900, bps: 0 });
    await setRates(sourceId, { EUR: "1.2" });
    const { json } = await story.call("GET", `/rates/quotes/${quote.id}`);
    expect(json).toMatchObject({ feesVersion: 1, feeRule: { fixedMinor: 100 }, mid: "217/200" });
    expectStatus(200, await execute(story, quote.id));
    expect(await systemBalances(story, "EUR")).toEqual({});
    expectStatus(200, await mark(quote.transactionId, "SETTLED"));
    expect((await systemBalances(story)).fees).toBe(100);
  });

  it("holds no longer than its source permits", async () => {
    expectStatus(200, await story.call("PATCH", `/rates/sources/${sourceId}`, { lockMinutes: 1 }));
    const quote = await made();
    expect(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)).toBe(60_000);
  });

  it("comes from the next source when the first is too old, and is refused when all are", async () => {
    const maxAge = { maxAgeMinutes: 10 };
    expectStatus(
      200,
      await story.call("PATCH", `/rates/sources/${sourceId}`, { ...maxAge, maxMovePercent: null }),
    );
    await setRates(sourceId, { EUR: "1.1" }, 9.9);
    expect((await made()).exchangeRate).toBe(1.1);
    await setRates(sourceId, { EUR: "1.1" }, 10.1);
    const stale = expectStatus(409, await ask()).json;
    expect(stale).toMatchObject({
      code: "RATE_STALE",
      details: { pair: "USD/EUR", source: sourceId, maxAgeMinutes: 10 },
    });
    expect(stale.details.asOf).toMatch(/Z$/);
    const second = await source({ name: "other", kind: "FIXED", priority: 200 });
    await setRates(second, { EUR: "1.3" });
    expect((await made()).exchangeRate).toBe(1.3);
  });

  it("of a reference source needs a spread", async () => {
    expectStatus(204, await story.call("DELETE", `/rates/sources/${sourceId}`));
    await source({ name: "bank", kind: "ECB", settings: { acknowledged: true } });
    const unread = expectStatus(409, await ask()).json;
    expect([unread.code, unread.details.asOf]).toEqual(["RATE_STALE", undefined]);
  });

  it("is on the list, by rail, with what carries it", async () => {
    await putFees({ from: "USD", to: "EUR", paymentRail: "SEPA", fixedMinor: 100, bps: 0 });
    const path = "/exchange-rates?sourceCurrency=USD&sendingAmount=10000";
    const { json } = expectStatus(200, await story.call("GET", path));
    const rows = json.data.map((row: RawAnswer["json"]) => [
      row.destinationCurrency.code,
      row.destinationPaymentRail,
      row.receivingAmount,
      row.fees.total,
    ]);
    expect(rows).toEqual([
      ["EUR", "BOOK", 9_216, 0],
      ["EUR", "SEPA", 9_124, 100],
      ["EUR", "SEPA_INSTANT", 9_216, 0],
    ]);
    await setRates(sourceId, { EUR: "1.0850" }, 2_000);
    expect((await story.call("GET", path)).json.data).toEqual([]);
  });
});

describe("what is missing", () => {
  it("is named in its order: connection, route, amount, rate", async () => {
    expectStatus(204, await story.call("DELETE", `/rates/sources/${sourceId}`));
    expectStatus(204, await story.call("DELETE", `/rails/routes/${route}`));
    expect(refusalOf(await ask())).toEqual([501, "NOT_IMPLEMENTED", "ROUTE"]);
    expectStatus(204, await story.call("DELETE", `/rails/connections/${desk}`));
    const none = await ask();
    expect(refusalOf(none)).toEqual([501, "NOT_IMPLEMENTED", "CONNECTION"]);
    expect(none.json.details.attach).toContain("MANUAL");
    expect(none.json.message).toContain("POST /rails/connections");
    desk = await activeConnection(story, euroDesk());
    route = await routeTo(story, desk, { currency: "EUR", maxAmount: 100 });
    const rate = await ask();
    expect(refusalOf(rate)).toEqual([501, "NOT_IMPLEMENTED", "RATE"]);
    expect(rate.json.message).toContain("POST /rates/sources");
    expect(refusalOf(await ask({ side: "RECEIVING", amount: 101 }))[2]).toBe("AMOUNT");
    sourceId = await source({ name: "again", kind: "FIXED" });
    expect(refusalOf(await ask())).toEqual([400, "INVALID_CURRENCY", undefined]);
    await setRates(sourceId, { EUR: "1" });
    expect(refusalOf(await ask({ amount: 101 }))).toEqual([501, "NOT_IMPLEMENTED", "AMOUNT"]);
    await made({ amount: 100 });
  });

  it("is the way in for money from outside", async () => {
    const outside = await bankAccount(story);
    const into = await internalAccount(story, { currency: "EUR" });
    expect(refusalOf(await ask({ from: outside, to: into }))[2]).toBe("CONNECTION");
    const source = { sourceType: "REALTIME_FUNDING", currency: "USD" };
    expect(refusalOf(await ask({ more: { source } }))[2]).toBe("FUNDING");
  });
});

describe("an executed quote", () => {
  it("is an order to the connection that its commit chose, and settles by its report", async () => {
    await putFees({ from: "USD", to: "EUR", fixedMinor: 100, bps: 0 });
    const remittanceInformation = "Invoice 7";
    const quote = await executed({ amount: 108_600, more: { remittanceInformation } });
    expect(quote.status).toBe("PROCESSING");
    const { transactionId } = quote;
    expect(await paymentOf(story, transactionId)).toMatchObject({
      connectionId: desk,
      routeId: route,
      direction: "OUT",
      paymentRail: "SEPA",
      amount: { amount: 100_000, currency: { code: "EUR" } },
      state: "QUEUED",
    });
    expect(await positions()).toMatchObject({
      USD: { balance: "0", committed: "108500", net: "108500" },
      EUR: { balance: "0", committed: "-100000", net: "-100000", valueIn: { amount: "-108500" } },
    });
    expect(await holdingsOf(story, from)).toEqual({ available: FUNDS - 108_600, total: FUNDS });
    expectStatus(200, await mark(transactionId, "SENT"));
    for (let twice = 0; twice < 2; twice += 1) {
      expectStatus(200, await mark(transactionId, "SETTLED"));
    }
    expect(await transactionOf(story, transactionId)).toMatchObject({
      status: "COMPLETED",
      paymentRail: "SEPA",
    });
    expect(await systemBalances(story)).toMatchObject({ fx: 108_500, fees: 100 });
    expect(await systemBalances(story, "EUR")).toEqual({ fx: -100_000, clearing: 100_000 });
    expect(await positions()).toMatchObject({
      USD: { balance: "108500", committed: "0" },
      EUR: { balance: "-100000", committed: "0" },
    });
    expect(await eventsAbout(story, transactionId)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
    expect((await story.call("GET", `/quotes/${quote.id}`)).json.status).toBe("COMPLETED");
  });

  it.each([
    [
      "DECLINED",
      { reason: { code: "AC04", text: "closed" } },
      "ACCOUNT_INVALID",
      "TRANSACTION_FAILED",
    ],
    [
      "RETURNED",
      { reason: { code: "AC04", text: "closed" } },
      "PAYOUT_RETURNED",
      "TRANSACTION_FAILED",
    ],
  ])("that is %s fails and is refunded", async (outcome, more, failureReason, reason) => {
    const { transactionId, id } = await executed();
    if (outcome === "RETURNED") expectStatus(200, await mark(transactionId, "SETTLED"));
    for (let twice = 0; twice < 2; twice += 1) {
      expectStatus(200, await mark(transactionId, outcome, more));
      await story.settle();
    }
    expect(await transactionOf(story, transactionId)).toMatchObject({
      status: "FAILED",
      failureReason,
      failure: { rail: { code: "AC04" } },
      refund: { status: "COMPLETED", reason },
    });
    // What came back is worth a cent less: the rounding of the first exchange stays.
    const total = outcome === "RETURNED" ? FUNDS - 1 : FUNDS;
    expect(await holdingsOf(story, from)).toEqual({ available: total, total });
    const { USD, EUR } = await positions();
    expect([USD?.net, EUR?.net]).toEqual(["0", "0"]);
    expect((await eventsAbout(story, transactionId)).slice(-3)).toEqual([
      "OUTGOING_PAYMENT.FAILED",
      "OUTGOING_PAYMENT.REFUND_PENDING",
      "OUTGOING_PAYMENT.REFUND_COMPLETED",
    ]);
    const ended = outcome === "RETURNED" ? "COMPLETED" : "FAILED";
    expect((await story.call("GET", `/quotes/${id}`)).json.status).toBe(ended);
  });

  it("that is recalled before it was sent fails and is refunded as cancelled", async () => {
    const { transactionId } = await executed();
    const { id } = await paymentOf(story, transactionId);
    expectStatus(
      200,
      await story.call("POST", `/rails/payments/${id}/recall`, { reason: "DUPLICATE" }),
    );
    await story.settle();
    expect(await transactionOf(story, transactionId)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED", reason: "USER_CANCELLATION" },
    });
    expect(await holdingsOf(story, from)).toEqual({ available: FUNDS, total: FUNDS });
  });

  it("whose reports contradict each other waits for a person, and moves no money", async () => {
    const { transactionId } = await executed();
    expectStatus(200, await mark(transactionId, "SETTLED"));
    const before = await systemBalances(story);
    const other = await mark(transactionId, "DECLINED", { reason: { code: "AC04" } });
    expectStatus(409, other);
    expect(await systemBalances(story)).toEqual(before);
    expect((await transactionOf(story, transactionId)).status).toBe("COMPLETED");
  });

  it("is refused while its connection is paused, and when its route is gone", async () => {
    const quote = await made();
    expectStatus(200, await story.call("POST", `/rails/connections/${desk}/pause`));
    expect(refusalOf(await ask())[1]).toBe("RAIL_PAUSED");
    expect(refusalOf(await execute(story, quote.id))[1]).toBe("RAIL_PAUSED");
    expectStatus(200, await story.call("POST", `/rails/connections/${desk}/resume`));
    expectStatus(204, await story.call("DELETE", `/rails/routes/${route}`));
    expect(refusalOf(await execute(story, quote.id))).toEqual([501, "NOT_IMPLEMENTED", "ROUTE"]);
    expect(await holdingsOf(story, from)).toEqual({ available: FUNDS, total: FUNDS });
    await routeTo(story, desk, { currency: "EUR" });
    expectStatus(200, await execute(story, quote.id));
  });

  it("is paid into an account of the house without a rail", async () => {
    const into = await internalAccount(story, { currency: "EUR" });
    const quote = await made({ to: into, amount: 10_850, more: { immediatelyExecute: true } });
    await story.settle();
    expect((await story.call("GET", `/quotes/${quote.id}`)).json.status).toBe("COMPLETED");
    expect(await holdingsOf(story, into)).toEqual({ available: 10_000, total: 10_000 });
    expect(await positions()).toMatchObject({
      USD: { balance: "10850", committed: "0" },
      EUR: { balance: "-10000", committed: "0" },
    });
  });
});

describe("a limit of a position", () => {
  const limit = async (...limits: readonly object[]) =>
    expectStatus(200, await story.call("PUT", "/fx/limits", { limits })).json;

  it("refuses the quote that would pass it, also when fifty are executed at once", async () => {
    expect(await limit({ currency: "EUR", maxShort: 10_000 })).toEqual({
      limits: [{ currency: "EUR", maxShort: 10_000 }],
    });
    const quotes = await Promise.all(Array.from({ length: 50 }, () => made({ amount: 1_085 })));
    const answers = await Promise.all(quotes.map(({ id }) => execute(story, id)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(10);
    expect(new Set(refused.map(({ json }) => json.code))).toEqual(new Set(["FX_LIMIT"]));
    expect((await positions()).EUR).toMatchObject({ net: "-10000", limit: { maxShort: 10_000 } });
    const at = await ask({ amount: 1_085, more: { immediatelyExecute: true } });
    expect(refusalOf(at)[1]).toBe("FX_LIMIT");
    // One that ends gives its room back, and one that is made takes none.
    const first = answers.find(({ status }) => status === 200)?.json;
    expectStatus(200, await mark(first.transactionId, "DECLINED", { reason: { code: "AC04" } }));
    expectStatus(200, await execute(story, (await made({ amount: 1_085 })).id));
    expect(await limit()).toEqual({ limits: [] });
    expectStatus(200, await execute(story, (await made({ amount: 1_085 })).id));
    await story.settle();
  });

  it("is about what is sent as well, and names a currency once", async () => {
    await limit({ currency: "USD", maxLong: 98 });
    const quote = await made({ amount: 100 });
    const answer = expectStatus(409, await execute(story, quote.id));
    expect(answer.json.details).toMatchObject({ currency: "USD", maxLong: 98 });
    const twice = [{ currency: "USD" }, { currency: "USD" }];
    expectStatus(400, await story.call("PUT", "/fx/limits", { limits: twice }));
    const unknown = [{ currency: "XXX", maxLong: -1 }];
    expectStatus(400, await story.call("PUT", "/fx/limits", { limits: unknown }));
  });
});
