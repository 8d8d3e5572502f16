/** A production platform's payments to UMA addresses of its own customers: they settle in its books, and no message is exchanged. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { bankAccount, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { holdingsOf, internalAccount, rowCounts, systemBalances } from "../../kit/story-money.ts";
import { execute } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  euroDesk,
  eventsAbout,
  expectStatus,
  fixedEuroRate,
  manualConnection,
  payerOf,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { answered } from "../../kit/story-uma.ts";
import { listenTo, type Reply, type StoryReceiver, untilHeard } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const FUNDS = 100_000;
const SENT = 10_000;

let server: TestServer;
let story: Story;
let receiver: StoryReceiver;
let approval: Reply;
let ana: Party;
let bea: Party;
beforeAll(async () => {
  server = await startTestServer({ settings: { OUTBOUND_ALLOW_LOOPBACK: "all" } });
});
afterAll(() => server.close());
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
  approval = 200;
  receiver = await listenTo(story, ({ type }) =>
    type === "INCOMING_PAYMENT.PENDING" ? approval : 200,
  );
  ana = await partyOf("Ana Ruiz", ["USD"]);
  bea = await partyOf("Bea Sol", ["USD", "EUR"]);
  const { accountId } = await payerOf(story, FUNDS);
  await transfer(accountId, ana.accountOf.USD, FUNDS);
});
afterEach(async () => {
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
  await endReceivers();
});

interface Party {
  readonly customerId: string;
  readonly umaAddress: string;
  readonly accountOf: Readonly<Record<string, string>> & { readonly USD: string };
}

async function partyOf(fullName: string, currencies: readonly string[]): Promise<Party> {
  const body = { customerType: "INDIVIDUAL", fullName, currencies };
  const { json } = expectStatus(201, await story.call("POST", "/customers", body));
  const customerId: string = json.id;
  const accounts = await Promise.all(
    currencies.map((currency) => internalAccount(story, { customerId, currency })),
  );
  const accountOf = Object.fromEntries(currencies.map((code, at) => [code, accounts[at]]));
  return { customerId, umaAddress: json.umaAddress, accountOf: accountOf as Party["accountOf"] };
}

async function transfer(from: string, to: string, amount: number): Promise<void> {
  const body = { source: { accountId: from }, destination: { accountId: to }, amount };
  expectStatus(201, await story.call("POST", "/transfers", body));
}

const look = (address = bea.umaAddress, from = story) =>
  from.call("GET", `/receiver/uma/${encodeURIComponent(address)}`);

async function ask(more: Readonly<Record<string, unknown>> = {}, query = ""): Promise<RawAnswer> {
  const { lookupId } = (await look()).json;
  return story.call("POST", `/quotes${query}`, {
    source: { sourceType: "ACCOUNT", accountId: ana.accountOf.USD },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: bea.umaAddress, currency: "USD" },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: SENT,
    lookupId,
    ...more,
  });
}

const inEuros = () => ({
  destination: { destinationType: "UMA_ADDRESS", umaAddress: bea.umaAddress, currency: "EUR" },
});

/** Executes a quote, and waits until the platform's answer has decided its payment. */
async function executed(more: Readonly<Record<string, unknown>> = {}): Promise<RawAnswer["json"]> {
  const quote = expectStatus(201, await ask(more)).json;
  expectStatus(200, await execute(story, quote.id));
  await settle();
  return quote;
}

async function settle(): Promise<void> {
  await story.settle();
  await answered({ story });
}

async function incoming(): Promise<RawAnswer["json"]> {
  const { data } = (await story.call("GET", "/transactions?type=INCOMING")).json;
  const paid = data.filter(
    ({ source }: { readonly source: { readonly sourceType: string } }) =>
      source.sourceType === "UMA_ADDRESS",
  );
  expect(paid).toHaveLength(1);
  return paid[0];
}

const balance = async (accountId = "") => (await holdingsOf(story, accountId)).available;

/** Without the money of the desk that funded the payer. */
async function ownBalances(currency: string): Promise<Readonly<Record<string, number>>> {
  const { clearing: _desk, ...others } = await systemBalances(story, currency);
  return others;
}

async function expectUntouched(): Promise<void> {
  expect(await balance(ana.accountOf.USD)).toBe(FUNDS);
  expect(await balance(bea.accountOf.USD)).toBe(0);
  expect(await ownBalances("USD")).toEqual({});
}

const BEGUN = ["OUTGOING_PAYMENT.PENDING", "OUTGOING_PAYMENT.PROCESSING"];
const REFUNDED = [
  "OUTGOING_PAYMENT.FAILED",
  "OUTGOING_PAYMENT.REFUND_PENDING",
  "OUTGOING_PAYMENT.REFUND_COMPLETED",
];

describe("a customer of the same platform", () => {
  it("is paid within one currency: approved, credited in one posting, told on both sides", async () => {
    approval = { status: 200, body: JSON.stringify({ receiverCustomerInfo: {} }) };
    expect((await look()).json.supportedCurrencies.map(currencyOf)).toEqual(["USD"]);
    const quote = await executed();
    expect(quote).toMatchObject({
      totalSendingAmount: SENT,
      totalReceivingAmount: SENT,
      feesIncluded: 0,
    });
    expect(await balance(ana.accountOf.USD)).toBe(FUNDS - SENT);
    expect(await balance(bea.accountOf.USD)).toBe(SENT);
    expect(await ownBalances("USD")).toEqual({});
    const [sent, received] = [await transactionOf(story, quote.transactionId), await incoming()];
    const id = quote.transactionId.slice("Transaction:".length).replaceAll("-", "");
    expect(sent).toMatchObject({
      status: "COMPLETED",
      paymentRail: "UMA",
      destination: { destinationType: "UMA_ADDRESS", umaAddress: bea.umaAddress },
    });
    expect(received).toMatchObject({
      status: "COMPLETED",
      customerId: bea.customerId,
      paymentRail: "UMA",
      receivedAmount: { amount: SENT, currency: { code: "USD" } },
      source: { sourceType: "UMA_ADDRESS", umaAddress: ana.umaAddress },
      reconciliationInstructions: { reference: `UMA-${id.toUpperCase()}` },
    });
    expect(await eventsAbout(story, sent.id)).toEqual([...BEGUN, "OUTGOING_PAYMENT.COMPLETED"]);
    const told = ["INCOMING_PAYMENT.PENDING", "INCOMING_PAYMENT.COMPLETED"];
    expect(await eventsAbout(story, received.id)).toEqual(told);
    expect((await receiver.events()).map(({ type }) => type)).toEqual(
      expect.arrayContaining([...BEGUN, "OUTGOING_PAYMENT.COMPLETED", ...told]),
    );
    const exchanges = await story.call("GET", "/uma/exchanges");
    expect(exchanges.json.data).toEqual([]);
  });

  const currencyOf = ({ currency }: { readonly currency: { readonly code: string } }) =>
    currency.code;

  it("is paid across currencies at the platform's rate, with its fee, and counted in its position", async () => {
    await fixedEuroRate(story);
    const rules = [{ from: "USD", to: "EUR", fixedMinor: 100, bps: 0 }];
    expectStatus(200, await story.call("PUT", "/fees", { rules }));
    const [, euros] = (await look()).json.supportedCurrencies;
    expect(euros).toMatchObject({ currency: { code: "EUR" }, estimatedExchangeRate: 0.8 });
    const quote = await executed(inEuros());
    // (10,000 − 100) ÷ 1.25
    expect(quote).toMatchObject({ totalReceivingAmount: 7_920, feesIncluded: 100 });
    expect(await balance(bea.accountOf.EUR)).toBe(7_920);
    expect(await ownBalances("USD")).toEqual({ fees: 100, fx: 9_900 });
    expect(await ownBalances("EUR")).toEqual({ fx: -7_920 });
    const { data } = expectStatus(200, await story.call("GET", "/fx/positions")).json;
    const committed = data.map((row: RawAnswer["json"]) => [row.currency, row.committed]);
    expect(Object.fromEntries(committed)).toEqual({ EUR: "0", USD: "0" });
    expect((await incoming()).receivedAmount).toMatchObject({ amount: 7_920 });
  });

  it("gets exactly the amount that is locked on the receiving side, at once", async () => {
    await fixedEuroRate(story);
    const locked = { lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 4_000 };
    const quote = expectStatus(
      201,
      await ask({ ...inEuros(), ...locked, immediatelyExecute: true }),
    );
    expect(quote.json).toMatchObject({ status: "PROCESSING", totalSendingAmount: 5_000 });
    await settle();
    expect(await balance(bea.accountOf.EUR)).toBe(4_000);
  });

  it("is paid with money that a connection collects, which goes back by it after a no", async () => {
    const payer = await bankAccount(story, { customerId: ana.customerId });
    const desk = await activeConnection(story, manualConnection());
    await routeTo(story, desk, { direction: "PULL", name: "collections" });
    const source = { sourceType: "ACCOUNT", accountId: payer };
    const collected = async () => {
      const { transactionId } = await executed({ source });
      const { id } = await paymentOf(story, transactionId);
      const settled = { outcome: "SETTLED" };
      expectStatus(200, await story.call("POST", `/rails/payments/${id}/mark`, settled));
      await settle();
      return transactionOf(story, transactionId);
    };
    expect((await collected()).status).toBe("COMPLETED");
    expect(await balance(bea.accountOf.USD)).toBe(SENT);
    approval = 403;
    const refused = await collected();
    expect(refused).toMatchObject({ status: "FAILED", refund: { status: "PENDING" } });
    const { data } = (await story.call("GET", "/rails/payments?direction=BACK")).json;
    expect(data).toMatchObject([{ transactionId: refused.id, amount: { amount: SENT } }]);
    expect(await balance(bea.accountOf.USD)).toBe(SENT);
  });

  it("is credited first where the money goes on to a deposit account outside", async () => {
    await fixedEuroRate(story);
    await euroDesk(story);
    const payeeId = await depositAccount();
    await executed(inEuros());
    await story.settle();
    const paid = await incoming();
    expect(paid).toMatchObject({ status: "COMPLETED", depositAccountId: payeeId });
    const payout = await transactionOf(story, paid.depositTransactionId);
    expect(payout).toMatchObject({
      depositOf: paid.id,
      sentAmount: { amount: 8_000 },
      destination: { accountId: payeeId },
    });
    expect(await balance(bea.accountOf.EUR)).toBe(0);
  });

  async function depositAccount(): Promise<string> {
    const made = await story.call("POST", "/customers/external-accounts", {
      customerId: bea.customerId,
      currency: "EUR",
      defaultUmaDepositAccount: true,
      accountInfo: {
        accountType: "EUR_ACCOUNT",
        iban: "DE89370400440532013000",
        beneficiary: {
          beneficiaryType: "INDIVIDUAL",
          fullName: "Bea Sol",
          countryOfResidence: "DE",
        },
      },
    });
    return expectStatus(201, made).json.id;
  }
});

describe("the platform's approval", () => {
  it.each<readonly [string, Reply, string]>([
    ["no", { status: 403, body: JSON.stringify({ reason: "NO" }) }, "REJECTED"],
    [
      "a request for more",
      { status: 422, body: JSON.stringify({ requiredFields: ["TAX_ID"] }) },
      "FAILED",
    ],
    ["an error", 500, "FAILED"],
  ])("that is %s gives the money back", async (_what, reply, status) => {
    approval = reply;
    const quote = await executed();
    await story.settle();
    expect((await incoming()).status).toBe(status);
    const sent = await transactionOf(story, quote.transactionId);
    expect(sent).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "COMPLETED" },
    });
    expect(await eventsAbout(story, sent.id)).toEqual([...BEGUN, ...REFUNDED]);
    await expectUntouched();
  });

  it("is given or denied by a call, once", async () => {
    approval = { status: 202, body: "{}" };
    for (const [way, status] of [
      ["approve", "COMPLETED"],
      ["reject", "FAILED"],
    ] as const) {
      const quote = expectStatus(201, await ask()).json;
      expectStatus(200, await execute(story, quote.id));
      await story.settle();
      const { data } = (await story.call("GET", "/transactions?type=INCOMING&status=PENDING")).json;
      const [{ id }] = data;
      await untilHeard(story, id);
      expect((await transactionOf(story, quote.transactionId)).status).toBe("PROCESSING");
      expectStatus(200, await story.call("POST", `/transactions/${id}/${way}`));
      expectStatus(409, await story.call("POST", `/transactions/${id}/approve`));
      expect((await transactionOf(story, quote.transactionId)).status).toBe(status);
      await settle();
    }
    expect(await balance(ana.accountOf.USD)).toBe(FUNDS - SENT);
    expect(await balance(bea.accountOf.USD)).toBe(SENT);
  });

  it("cannot be asked for without an endpoint", async () => {
    expectStatus(200, await story.call("PATCH", "/config", { webhookEndpoint: null }));
    const quote = await executed();
    await story.settle();
    expect((await transactionOf(story, quote.transactionId)).refund.status).toBe("COMPLETED");
    await expectUntouched();
  });
});

describe("a quote is refused, and leaves nothing behind,", () => {
  const freeze = (scope: string) =>
    story.call("POST", `/customers/${bea.customerId}/freeze`, { reason: "OTHER", scope });
  const closed = async () => {
    const account = expectStatus(
      200,
      await story.call("PATCH", `/customers/${bea.customerId}`, {
        customerType: "INDIVIDUAL",
        currencies: ["EUR"],
      }),
    );
    return account;
  };
  const limit = async () => {
    const { supportedCurrencies } = (await story.call("GET", "/config")).json;
    const changed = supportedCurrencies.map((each: { readonly currencyCode: string }) =>
      each.currencyCode === "USD" ? { ...each, maxAmount: SENT - 1 } : each,
    );
    return story.call("PATCH", "/config", { supportedCurrencies: changed });
  };

  it.each<readonly [string, () => Promise<unknown>, object, number, string]>([
    [
      "for a payee who was deleted",
      () => story.call("DELETE", `/customers/${bea.customerId}`),
      {},
      404,
      "UMA_NOT_FOUND",
    ],
    ["for a frozen payee", () => freeze("ALL"), {}, 409, "CUSTOMER_FROZEN"],
    ["for a payee who has dropped the currency", closed, {}, 400, "INVALID_CURRENCY"],
    ["for an amount beyond the limits", limit, {}, 400, "AMOUNT_OUT_OF_RANGE"],
    ["without a rate", async () => undefined, { currency: "EUR" }, 501, "NOT_IMPLEMENTED"],
    [
      "in a currency that no customer has",
      async () => undefined,
      { currency: "MXN" },
      400,
      "INVALID_CURRENCY",
    ],
  ])("%s", async (_why, change, to, status, code) => {
    const { lookupId } = (await look()).json;
    await change();
    const before = await rowCounts(story);
    const destination = {
      destinationType: "UMA_ADDRESS",
      umaAddress: bea.umaAddress,
      currency: "USD",
      ...to,
    };
    const refused = await ask({ lookupId, destination });
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(await rowCounts(story)).toEqual(before);
    await expectUntouched();
  });

  it("to the payer's own address", async () => {
    const { lookupId } = (await look(ana.umaAddress)).json;
    const destination = { destinationType: "UMA_ADDRESS", umaAddress: ana.umaAddress };
    const refused = await ask({ lookupId, destination });
    expect([refused.status, refused.json.code]).toEqual([400, "SELF_PAYMENT"]);
  });

  it("for another platform, by its lookup and by its address", async () => {
    const other = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
    const { lookupId } = (await look()).json;
    const destination = { destinationType: "UMA_ADDRESS", umaAddress: bea.umaAddress };
    const accountId = await internalAccount(other, { currency: "USD" });
    const source = { sourceType: "ACCOUNT", accountId };
    const locked = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: SENT };
    const body = { source, destination, ...locked };
    const unknown = "Lookup:019a4f00-0000-7000-8000-0000000000ff";
    for (const id of [lookupId, unknown]) {
      const refused = await other.call("POST", "/quotes", { ...body, lookupId: id });
      expect([refused.status, refused.json.code]).toEqual([404, "LOOKUP_REQUEST_NOT_FOUND"]);
    }
    // Two production platforms are two institutions, and this one's domain is not served.
    const looked = await look(bea.umaAddress, other);
    expect([looked.status, looked.json.code]).toEqual([409, "CONFLICT"]);
  });

  it("in a dry run, which makes nothing either", async () => {
    const before = await rowCounts(story);
    const dry = await ask({}, "?dryRun=true");
    expect(dry).toMatchObject({ status: 200 });
    expect(JSON.stringify(dry.json)).toContain(String(SENT));
    expect(await rowCounts(story)).toEqual(before);
    await freeze("ALL");
    const refused = await ask({}, "?dryRun=true");
    expect(JSON.stringify(refused.json)).toContain("CUSTOMER_FROZEN");
    await expectUntouched();
  });
});

describe("a payee who changes between the quote and the payment", () => {
  it.each<readonly [string, () => Promise<RawAnswer>]>([
    ["is deleted", () => story.call("DELETE", `/customers/${bea.customerId}`)],
    [
      "is frozen",
      () =>
        story.call("POST", `/customers/${bea.customerId}/freeze`, {
          reason: "OTHER",
          scope: "ALL",
        }),
    ],
    [
      "drops the currency",
      () =>
        story.call("PATCH", `/customers/${bea.customerId}`, {
          customerType: "INDIVIDUAL",
          currencies: ["EUR"],
        }),
    ],
  ])("and %s costs the payer nothing", async (_how, change) => {
    const quote = expectStatus(201, await ask()).json;
    expect((await change()).status).toBeLessThan(300);
    expectStatus(200, await execute(story, quote.id));
    await settle();
    const sent = await transactionOf(story, quote.transactionId);
    expect(sent).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } });
    expect(await eventsAbout(story, sent.id)).toEqual([...BEGUN, ...REFUNDED]);
    await expectUntouched();
  });

  it("while the platform is asked costs the payer nothing either", async () => {
    approval = { status: 202, body: "{}" };
    const quote = expectStatus(201, await ask()).json;
    expectStatus(200, await execute(story, quote.id));
    await story.settle();
    const { id } = await incoming();
    await untilHeard(story, id);
    const freeze = { reason: "OTHER", scope: "ALL" };
    await story.call("POST", `/customers/${bea.customerId}/freeze`, freeze);
    const approved = expectStatus(200, await story.call("POST", `/transactions/${id}/approve`));
    expect(approved.json).toMatchObject({ status: "FAILED", failureReason: "OFFRAMP_FAILED" });
    await settle();
    expect((await transactionOf(story, quote.transactionId)).refund.status).toBe("COMPLETED");
    await expectUntouched();
  });
});

it("verify finds a payment of which one side is missing", async () => {
  await executed();
  const { id } = await incoming();
  const found = await foundAfter(
    { server, story },
    "delete from transactions where id = $1::uuid",
    [id.slice("Transaction:".length)],
  );
  expect(found.join("\n")).toContain("a customer of the platform who has received nothing");
});
