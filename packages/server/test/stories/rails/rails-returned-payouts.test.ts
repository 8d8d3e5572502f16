/**
 * Everything that a payout may be for, and its return as the rail, a report or a payer tells it: a small table says what is expected, and the books
 * are checked after each. A payout of a new kind must have a row here: the sources say which there are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { sampleOf } from "../../kit/sample.ts";
import { bankAccount, type RawAnswer } from "../../kit/story.ts";
import { connectedAgent, type StoryAgent } from "../../kit/story-agents.ts";
import { credit, fundedDesk, releaseOrder } from "../../kit/story-funding.ts";
import { systemBalances } from "../../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../../kit/story-quotes.ts";
import { balanceOf, expectStatus, transactionOf } from "../../kit/story-rails.ts";
import {
  type Bank,
  bareId,
  openBank,
  setEuroRate,
  settledOrder,
  tellLine,
  tellReport,
} from "../../kit/story-returns.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

type Json = RawAnswer["json"];

let server: TestServer;
let connector: TestConnector;
let bank: Bank;
let agent: StoryAgent;
beforeAll(async () => {
  connector = await openConnector();
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings });
  bank = await openBank(server, connector);
  await fundedDesk(bank.story);
  const limits = { currency: "USD", perTransactionLimit: 10_000, dailyLimit: 1_000_000 };
  agent = await connectedAgent(bank.story, { policy: { spendingLimits: limits }, funds: 0 });
  const gift = {
    source: { accountId: bank.payer.accountId },
    destination: { accountId: agent.accountId },
    amount: 1_000_000,
  };
  expectStatus(201, await bank.story.call("POST", "/transfers", gift));
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

/** A payout that has settled. */
interface Payout {
  readonly id: string;
  /** What is given back when so much came. */
  back(came: number): number;
  /** A figure that grows by what is given back. */
  figure(): Promise<number>;
}

/** At the rate when it comes back, to which the desk changes once the payout has settled: 1.4 dollars for a euro. */
const worthNow = (euros: number) => Math.floor((euros * 7) / 5);
const same = (came: number) => came;
const balance = () => balanceOf(bank.story, bank.payer.accountId);

async function quoted(wish: Readonly<Record<string, unknown>>): Promise<Json> {
  await setEuroRate(bank, "1.25");
  const { accountId } = bank.payer;
  const to = await euroAccount(bank.story);
  return expectStatus(
    201,
    await askQuote(bank.story, { from: accountId, to, amount: 9_001, ...wish }),
  ).json;
}

async function executed(quote: Json): Promise<string> {
  expectStatus(200, await execute(bank.story, quote.id));
  return quote.transactionId;
}

/** What orders are to give back to the payer outside. */
async function orderedBack(transactionId: string): Promise<number> {
  const query = `transactionId=${transactionId}&direction=BACK`;
  const { data } = (await bank.story.call("GET", `/rails/payments?${query}`)).json;
  return data.reduce((sum: number, { amount }: Json) => sum + amount.amount, 0);
}

const fromOutside = (id: string, sent: number): Payout => ({
  id,
  back: (came) => Math.min(worthNow(came), sent),
  figure: () => orderedBack(id),
});

async function collectionOf(amount: number): Promise<string> {
  const { payeeId, accountId } = bank.payer;
  const body = {
    source: { accountId: payeeId },
    destination: { accountId },
    amount,
  };
  const { id } = expectStatus(201, await bank.story.call("POST", "/transfer-in", body)).json;
  await settledOrder(bank, id);
  return id;
}

const PURPOSES: Readonly<Record<string, () => Promise<Payout>>> = {
  "a transfer": async () => {
    const { id } = expectStatus(201, await bank.payer.pay(1_009)).json;
    return { id, back: same, figure: balance };
  },
  "a refund": async () => {
    const original = await collectionOf(1_009);
    const path = `/transactions/${original}/refund`;
    const { json } = expectStatus(201, await bank.story.call("POST", path, { reason: "OTHER" }));
    const figure = async () =>
      -((await transactionOf(bank.story, original)).refundedAmount?.amount ?? 0);
    return { id: json.id, back: same, figure };
  },
  "an agent's transfer": async () => {
    const { json } = expectStatus(201, await agent.pay(1_009));
    const figure = async () => {
      const { usage } = (await bank.story.call("GET", `/agents/${agent.agentId}`)).json;
      return -usage.dailySpend;
    };
    return { id: json.transaction.id, back: same, figure };
  },
  "a quote within a currency": async () => {
    const quote = await paidByPayer({ to: await bankAccount(bank.story) });
    const { transactionId: id } = quote;
    return { id, back: same, figure: () => orderedBack(id) };
  },
  "a quote with an exchange": async () => {
    const id = await executed(await quoted({}));
    return { id, back: worthNow, figure: balance };
  },
  "a quote whose money was collected": async () => {
    const quote = await quoted({ from: bank.payer.payeeId });
    const id = await executed(quote);
    await bank.story.settle();
    const query = `transactionId=${id}&direction=PULL`;
    const [pull] = (await bank.story.call("GET", `/rails/payments?${query}`)).json.data;
    await tellReport(bank, pull.id, { status: "settled" });
    return fromOutside(id, quote.totalSendingAmount);
  },
  "a quote that its payer has paid": async () => {
    const { transactionId, totalSendingAmount } = await paidByPayer({});
    return fromOutside(transactionId, totalSendingAmount);
  },
};

async function paidByPayer(wish: Readonly<Record<string, unknown>>): Promise<Json> {
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD" };
  const quote = await quoted({ ...wish, more: { source } });
  const { totalSendingAmount: amount, paymentInstructions } = quote;
  const remittance = paymentInstructions[0].accountOrWalletInfo.reference;
  await credit(bank.story, await deskId(), { remittance, amount, bookedOn: "2020-01-01" });
  return quote;
}

const deskId = async () => {
  const { data } = (await bank.story.call("GET", "/rails/connections?kind=MANUAL")).json;
  const desk = data.find(({ status }: Json) => status === "ACTIVE");
  return present(desk?.id as string | undefined, "the desk");
};

/** Nine tenths of the amount, rounded up, is the least that is a return. */
const least = (amount: number) => Math.ceil((amount * 9) / 10);
const AMOUNTS: Readonly<Record<string, (amount: number) => number>> = {
  "a unit less than 90 %": (amount) => least(amount) - 1,
  "90 %": least,
  all: same,
};

type Voice = "an entry of the rail" | "a report of the rail" | "the text of a payer";

/** Of each payout one of each end. All amounts by all voices: src/domain/rails/returns/return-amounts.test.ts. */
const ENDS: readonly (readonly [much: string, voice: Voice])[] = [
  ["90 %", "a report of the rail"],
  ["all", "an entry of the rail"],
  ["a unit less than 90 %", "an entry of the rail"],
  ["all", "the text of a payer"],
];
const CASES = Object.keys(PURPOSES).flatMap((purpose) =>
  ENDS.map(
    ([much, voice]) => [`${purpose}: ${much}, by ${voice}`, { purpose, much, voice }] as const,
  ),
);

/** The order of the payout, settled, of which the source's rate then moves on. */
async function settledPayout({ id }: Payout): Promise<Json> {
  await bank.story.settle();
  const query = `transactionId=${id}&direction=OUT`;
  const [order] = (await bank.story.call("GET", `/rails/payments?${query}`)).json.data;
  await tellReport(bank, order.id, { status: "settled" });
  await bank.story.settle();
  await setEuroRate(bank, "1.40");
  return (await bank.story.call("GET", `/rails/payments/${order.id}`)).json;
}

/** The line by which it came, and its item. */
async function comes(
  order: Json,
  { came, voice }: { readonly came: number; readonly voice: Voice },
) {
  const { currency } = order.amount;
  const line = { amount: came, currency: currency.code };
  if (voice === "the text of a payer") {
    return tellLine(bank, { ...line, reference: order.endToEndId });
  }
  if (voice === "a report of the rail") {
    await tellReport(bank, order.id, { status: "returned", amount: String(came) });
    return tellLine(bank, { ...line, returnOf: bareId(order.id) });
  }
  return tellLine(bank, { ...line, paymentId: bareId(order.id) });
}

/** Ends what goes back by orders. */
async function settleBacks(transactionId: string): Promise<void> {
  await bank.story.settle();
  const query = `transactionId=${transactionId}&direction=BACK`;
  const { data } = (await bank.story.call("GET", `/rails/payments?${query}`)).json;
  for (const { id } of data) {
    await releaseOrder(bank.story, id);
    const path = `/rails/payments/${id}/mark`;
    expectStatus(200, await bank.story.call("POST", path, { outcome: "SETTLED" }));
  }
}

const ownFunds = async () => (await systemBalances(bank.story))["own-funds"] ?? 0;
const fxOf = async () => {
  const { data } = (await bank.story.call("GET", "/fx/positions")).json;
  const of = (code: string) =>
    Number(data.find(({ currency }: Json) => currency === code)?.balance ?? 0);
  return { USD: of("USD"), EUR: of("EUR") };
};

describe("a settled payout of which something comes", () => {
  it.each(sampleOf(CASES))("%s", async (_title, { purpose, much, voice }) => {
    const payout = await present(PURPOSES[purpose], purpose)();
    const order = await settledPayout(payout);
    const { amount } = order.amount;
    const came = present(AMOUNTS[much], much)(amount);
    const [figure, funds, fx] = [await payout.figure(), await ownFunds(), await fxOf()];

    const { entry, item } = await comes(order, { came, voice });
    await settleBacks(payout.id);

    const isTold = voice !== "the text of a payer";
    const isReturn = isTold && came >= least(amount) && came <= amount;
    const back = isReturn ? payout.back(came) : 0;
    const after = (await bank.story.call("GET", `/rails/payments/${order.id}`)).json;
    const { status, refund } = await transactionOf(bank.story, payout.id);
    expect((await payout.figure()) - figure).toBe(back);
    expect([after.state, after.conflict]).toEqual(
      isReturn ? ["RETURNED", false] : ["SETTLED", isTold],
    );
    expect(status).toBe(isReturn ? "FAILED" : "COMPLETED");
    expect([refund?.status, refund?.amount.amount]).toEqual(
      isReturn ? ["COMPLETED", back] : [undefined, undefined],
    );
    expect(entry.bookedAs).toBe(isReturn ? "RETURN" : "SUSPENSE");
    expect([item?.reason, item?.suggestedPaymentId]).toEqual(
      isReturn ? [undefined, undefined] : [isTold ? "AMOUNT_DIFFERS" : "UNREFERENCED", order.id],
    );
    // Own funds stand in for the charge of a transfer alone; of a quote what came is exchanged.
    const isQuote = purpose.startsWith("a quote");
    expect((await ownFunds()) - funds).toBe(isReturn && !isQuote ? came - amount : 0);
    const isExchange = isReturn && isQuote && order.amount.currency.code === "EUR";
    const moved = isExchange ? { USD: fx.USD - back, EUR: fx.EUR + came } : fx;
    expect(await fxOf()).toEqual(moved);
    expect(await foundAfter({ server, story: bank.story }, "select 1")).toEqual([]);
  });
});

/** By what a payout is made, and by what its return acts on something: each with the rows above that go through it. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "agents/actions/follow-payment.ts": ["an agent's transfer"],
  "payments/quotes/execution.ts": ["a quote with an exchange"],
  "rails/quotes/give-back.ts": [
    "a quote whose money was collected",
    "a quote that its payer has paid",
  ],
  "payments/quotes/record-quote-outcome.ts": [
    "a quote within a currency",
    "a quote with an exchange",
  ],
  "payments/quotes/refund.ts": ["a quote with an exchange"],
  "rails/orders/new-rail-payment.ts": ["a transfer"],
  "rails/orders/take-report.ts": ["a transfer", "a quote with an exchange"],
  "rails/returns/return-payout.ts": ["a transfer"],
  "payments/transactions/incoming-refund.ts": ["a refund"],
  "payments/transactions/transaction.ts": ["a transfer"],
  "payments/transfers/new-transfer.ts": ["a transfer", "a refund", "an agent's transfer"],
  "payments/transfers/record-payout-outcome.ts": ["a transfer", "a refund"],
  "rails/rail-carrier.ts": ["a transfer"],
};

const ACTS =
  /\bport\(carrierPort\)\.order\b|\b(addRailPayment|returnPayout|reversePayout|returnIncomingRefund|refundedMinorOf|scheduleRefund)\b|refund\??\.returned|returned\?\.refundMinor/;

it("has a row for each place of the domain that makes a payout or acts on its return", () => {
  const domain = join(import.meta.dirname, "../../../src/domain");
  const sources = readdirSync(domain, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const acting = sources.filter((name) => {
    const code = readFileSync(join(domain, name), "utf8").replace(/^import [\s\S]*?;$/gm, "");
    return ACTS.test(code);
  });
  expect(acting.map((name) => name.replaceAll("\\", "/")).sort()).toEqual(
    Object.keys(PLACES).sort(),
  );
  for (const row of Object.values(PLACES).flat()) expect(Object.keys(PURPOSES)).toContain(row);
  expect(new Set(Object.values(PLACES).flat()).size).toBe(Object.keys(PURPOSES).length);
});
