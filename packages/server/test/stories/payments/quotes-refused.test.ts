import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { fund, internalAccount, rowCounts } from "../../kit/story-money.ts";
import { askingFor, askQuote, euroAccount, execute, quoteBody } from "../../kit/story-quotes.ts";

const server = await sharedServer();
let story: Story;
let ana: Funded;
let euros: string;

beforeAll(async () => {
  story = await openStory(server);
  ana = await fundedCustomer(story, 1_000_000);
  euros = await euroAccount(story, ana.customerId);
});

const NOBODY = "019a4f00-0000-7000-8000-0000000000ff";

/** An account of Ana's in the house. */
async function euroInside(): Promise<string> {
  const { customerId } = ana;
  const currencies = ["USD", "EUR"];
  await story.call("PATCH", `/customers/${customerId}`, { customerType: "INDIVIDUAL", currencies });
  return internalAccount(story, { customerId, currency: "EUR" });
}

async function rupeeAccount(vpa: string): Promise<string> {
  const made = await story.call("POST", "/customers/external-accounts", {
    customerId: ana.customerId,
    currency: "INR",
    accountInfo: {
      accountType: "INR_ACCOUNT",
      vpa,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Maya Lindqvist" },
    },
  });
  expect(made.status).toBe(201);
  return made.json.id;
}

describe("a quote is refused", () => {
  type Change = (body: ReturnType<typeof quoteBody>) => unknown;
  const from = (accountId: string): Change => {
    return (body) => ({ ...body, source: { sourceType: "ACCOUNT", accountId } });
  };
  const to = (accountId: string): Change => {
    return (body) => ({ ...body, destination: { destinationType: "ACCOUNT", accountId } });
  };
  const realtime = (source: object): Change => {
    const { customerId } = ana;
    return (body) => ({
      ...body,
      source: { sourceType: "REALTIME_FUNDING", customerId, ...source },
    });
  };
  const field = (name: string) => ({
    field: name,
    reason: expect.any(String),
    errors: [expect.objectContaining({ field: name })],
  });

  const cases: readonly [
    string,
    Change | (() => Change | Promise<Change>),
    number,
    string,
    unknown?,
  ][] = [
    ["for a source that is no id", from("x"), 400, "INVALID_INPUT", field("source.accountId")],
    [
      "for a source that nobody has",
      from(`InternalAccount:${NOBODY}`),
      400,
      "INVALID_INPUT",
      field("source.accountId"),
    ],
    [
      "for a destination that nobody has",
      to(`ExternalAccount:${NOBODY}`),
      400,
      "INVALID_INPUT",
      field("destination.accountId"),
    ],
    [
      "for a source that cannot be pulled from",
      async () => from(await euroAccount(story, ana.customerId)),
      400,
      "INVALID_INPUT",
      field("source.accountId"),
    ],
    [
      "for the destination of another customer",
      async () => to(await euroAccount(story, (await fundedCustomer(story, 0)).customerId)),
      400,
      "INVALID_INPUT",
      field("destination.accountId"),
    ],
    ["from an account to itself", async () => to(ana.accountId), 400, "SELF_PAYMENT"],
    [
      "for a customer that nobody is",
      (body) => ({ ...body, source: { ...body.source, customerId: `Customer:${NOBODY}` } }),
      400,
      "INVALID_INPUT",
      field("source.customerId"),
    ],
    [
      "for a customer who does not own the source",
      async () => {
        const { customerId } = await fundedCustomer(story, 0);
        return (body: ReturnType<typeof quoteBody>) => ({
          ...body,
          source: { ...body.source, customerId },
        });
      },
      400,
      "INVALID_INPUT",
      field("source.customerId"),
    ],
    [
      "between accounts of one currency",
      async () => to(await bankAccount(story, { customerId: ana.customerId })),
      400,
      "INVALID_CURRENCY",
    ],
    [
      "in a currency that does not exist",
      () => realtime({ currency: "XXX" }),
      400,
      "INVALID_CURRENCY",
    ],
    [
      "in a currency that is not enabled",
      () => realtime({ currency: "GBP" }),
      400,
      "INVALID_CURRENCY",
    ],
    [
      "in a token without its network",
      () => realtime({ currency: "USDC" }),
      400,
      "INVALID_INPUT",
      field("source.cryptoNetwork"),
    ],
    [
      "on a network that does not carry the token",
      () => realtime({ currency: "USDC", cryptoNetwork: "TRON" }),
      400,
      "INVALID_INPUT",
      field("source.cryptoNetwork"),
    ],
    [
      "on a network for money that has none",
      () => realtime({ currency: "USD", cryptoNetwork: "SOLANA" }),
      400,
      "INVALID_INPUT",
      field("source.cryptoNetwork"),
    ],
    [
      "when it waits for its payer and is to be executed at once",
      (body) => ({
        ...body,
        source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: ana.customerId },
        immediatelyExecute: true,
      }),
      400,
      "INVALID_INPUT",
    ],
    [
      "on a rail that the destination does not have",
      (body) => ({ ...body, destination: { ...body.destination, paymentRail: "SPEI" } }),
      400,
      "INVALID_INPUT",
      field("destination.paymentRail"),
    ],
    [
      "on a rail into an account in the house, which has none",
      async () => {
        const accountId = await euroInside();
        return (body: ReturnType<typeof quoteBody>) => ({
          ...body,
          destination: { destinationType: "ACCOUNT", accountId, paymentRail: "SEPA" },
        });
      },
      400,
      "INVALID_INPUT",
      field("destination.paymentRail"),
    ],
    [
      "when fees eat it up",
      (body) => ({ ...body, lockedCurrencyAmount: 20 }),
      400,
      "AMOUNT_OUT_OF_RANGE",
    ],
    [
      "above the platform's limit",
      (body) => ({ ...body, lockedCurrencyAmount: 100_000_000_001 }),
      400,
      "AMOUNT_OUT_OF_RANGE",
    ],
    [
      "above the platform's limit on the other side",
      (body) => ({
        ...body,
        lockedCurrencySide: "RECEIVING",
        lockedCurrencyAmount: 99_999_999_999,
      }),
      400,
      "AMOUNT_OUT_OF_RANGE",
    ],
    ["for no amount", (body) => ({ ...body, lockedCurrencyAmount: 0 }), 400, "INVALID_AMOUNT"],
    [
      "for part of a unit",
      (body) => ({ ...body, lockedCurrencyAmount: 1.5 }),
      400,
      "INVALID_AMOUNT",
    ],
    [
      "for an amount as text",
      (body) => ({ ...body, lockedCurrencyAmount: "5" }),
      400,
      "INVALID_AMOUNT",
    ],
    [
      "with every bad field named",
      () => ({ source: { sourceType: "CASH" }, destination: {}, lockedCurrencySide: "BOTH" }),
      400,
      "INVALID_INPUT",
    ],
    [
      "at once without the money",
      (body) => ({ ...body, lockedCurrencyAmount: 1_000_001, immediatelyExecute: true }),
      400,
      "INSUFFICIENT_BALANCE",
    ],
  ];

  it.each(cases)("%s", async (_name, make, status, code, details) => {
    const made = make as (body: unknown) => unknown;
    const body = quoteBody({ from: ana.accountId, to: euros });
    const given = await made(body);
    const request = typeof given === "function" ? given(body) : given;
    const before = await rowCounts(story);
    const answer = await story.call("POST", "/quotes", request);
    expect(answer.json).toMatchObject({ status, code });
    if (details !== undefined) expect(answer.json.details).toMatchObject(details as object);
    expect(await rowCounts(story)).toEqual(before);
  });

  it("for its faults in the order that is written down", async () => {
    const other = (await fundedCustomer(story, 0)).customerId;
    const rupees = await rupeeAccount("maya456@okbank");
    const account = (accountId: string) => ({ destinationType: "ACCOUNT", accountId });
    const from = (accountId: string) => ({ sourceType: "ACCOUNT", accountId });
    const body: Record<string, unknown> = {
      source: { ...from(`InternalAccount:${NOBODY}`), customerId: other },
      destination: account(`ExternalAccount:${NOBODY}`),
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100_000_000_001,
      immediatelyExecute: true,
    };
    const { details: first } = (await story.call("POST", "/quotes", body)).json;
    const fields = first.errors.map((error: { field: string }) => error.field);
    expect(fields).toEqual(["source.accountId", "destination.accountId"]);
    // Each step mends the fault that was named, and no other.
    const steps: readonly (readonly [object, string])[] = [
      [{}, "source.accountId"],
      [{ source: { ...from(ana.accountId), customerId: other } }, "source.customerId"],
      [{ source: from(ana.accountId) }, "destination.accountId"],
      [{ destination: account(await euroAccount(story, other)) }, "destination.accountId"],
      [{ destination: account(ana.accountId) }, "SELF_PAYMENT"],
      [{ destination: { ...account(rupees), paymentRail: "SPEI" } }, "destination.paymentRail"],
      [{ destination: account(rupees) }, "purposeOfPayment"],
      [{ purposeOfPayment: "GIFT" }, "AMOUNT_OUT_OF_RANGE"],
      [{ lockedCurrencyAmount: 1_000_001 }, "INSUFFICIENT_BALANCE"],
    ];
    for (const [mended, fault] of steps) {
      Object.assign(body, mended);
      const { code, details } = (await story.call("POST", "/quotes", body)).json;
      expect(code === "INVALID_INPUT" ? details.errors[0].field : code).toBe(fault);
    }
  });

  it("for a payment into rupees without its purpose", async () => {
    const at = { from: ana.accountId, to: await rupeeAccount("maya789@okbank") };
    const refused = await askQuote(story, at);
    expect(refused.json.details.errors).toMatchObject([{ field: "purposeOfPayment" }]);
    const taken = await askQuote(story, { ...at, more: { purposeOfPayment: "GIFT" } });
    expect(taken.json).toMatchObject({
      exchangeRate: 0.012121,
      receivingCurrency: { code: "INR" },
    });
  });

  it("when the receiver would get more than an amount can be, though the sender may send as much", async () => {
    const large = await openStory(server);
    const config = (await large.call("GET", "/config")).json;
    const most = 9_000_000_000_000_000;
    const supportedCurrencies = config.supportedCurrencies.map((each: object) => ({
      ...each,
      maxAmount: most,
    }));
    expect((await large.call("PATCH", "/config", { supportedCurrencies })).status).toBe(200);
    const from = await internalAccount(large, { currency: "USD" });
    const to = await internalAccount(large, { currency: "MXN" });
    const answer = await askQuote(large, { from, to, amount: most });
    expect(answer.json).toMatchObject({
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      message: "The receiver would get more than an amount can be.",
      details: { currency: "MXN", maxReceivable: most },
    });
  });

  it("when the receiver lacks what the platform requires", async () => {
    const careful = await askingFor(server, [{ name: "NATIONALITY", mandatory: true }]);
    const { accountId, customerId } = await fundedCustomer(careful, 0);
    const to = await euroAccount(careful, customerId);
    const refused = await askQuote(careful, { from: accountId, to });
    expect(refused.json).toMatchObject({
      code: "INVALID_RECEIVER",
      details: { missing: ["NATIONALITY"] },
    });
  });

  it("for a customer who is not approved", async () => {
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz 001",
      currencies: ["USD"],
    });
    const customerId = customer.json.id;
    const from = await internalAccount(story, { customerId, currency: "USD" });
    const to = await euroAccount(story, customerId);
    const answer = await askQuote(story, { from, to });
    expect(answer.json).toMatchObject({ status: 403, code: "USER_NOT_READY" });
  });

  it("in production, where there is no market to ask", async () => {
    const real = await openStory(server, { environment: "PRODUCTION" });
    const from = await internalAccount(real, { currency: "USD" });
    const answer = await askQuote(real, { from, to: await euroAccount(real) });
    expect(answer.json).toMatchObject({ status: 501, code: "NOT_IMPLEMENTED" });
    expect(answer.json.details).toMatchObject({ rail: "SEPA", missing: "CONNECTION" });
    const dollars = await askQuote(real, { from, to: await bankAccount(real) });
    expect(dollars.json).toMatchObject({ status: 501, details: { rail: "ACH" } });
    const rates = await real.call("GET", "/exchange-rates");
    expect(rates.json).toEqual({ data: [] });
  });
});

describe("the execution of a quote is refused", () => {
  it("for an unknown quote", async () => {
    for (const id of [`Quote:${NOBODY}`, "Quote:x", NOBODY]) {
      expect((await execute(story, id)).json).toMatchObject({
        status: 404,
        code: "QUOTE_NOT_FOUND",
      });
    }
  });

  it("without the money, and leaves the quote open", async () => {
    const poor = await fundedCustomer(story, 99_999);
    const to = await euroAccount(story, poor.customerId);
    const quote = await askQuote(story, { from: poor.accountId, to });
    const before = await rowCounts(story);
    const answer = await execute(story, quote.json.id);
    expect(answer.json).toMatchObject({ status: 400, code: "INSUFFICIENT_BALANCE" });
    expect(await rowCounts(story)).toEqual(before);
    await fund(story, poor.accountId, 1);
    expect((await execute(story, quote.json.id)).status).toBe(200);
    await story.settle();
  });

  it("when the destination was deleted in between", async () => {
    const to = await euroAccount(story, ana.customerId);
    const quote = await askQuote(story, { from: ana.accountId, to });
    await story.call("DELETE", `/customers/external-accounts/${to}`);
    const answer = await execute(story, quote.json.id);
    expect(answer.json).toMatchObject({ status: 409, code: "CONFLICT" });
  });
});
