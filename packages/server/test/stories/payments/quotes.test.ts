import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { fund, internalAccount } from "../../kit/story-money.ts";
import { askingFor, askQuote, euroAccount, execute, quoteBody } from "../../kit/story-quotes.ts";
import { newWallet, SANDBOX_STAMP } from "../../kit/story-wallets.ts";

const server = await sharedServer();
let story: Story;
let ana: Funded;
let euros: string;

beforeAll(async () => {
  story = await openStory(server);
  ana = await fundedCustomer(story, 1_000_000);
  euros = await euroAccount(story, ana.customerId);
});

describe("a quote", () => {
  it("is a price with its transaction, and holds no money", async () => {
    const quote = await askQuote(story, {
      from: ana.accountId,
      to: euros,
      more: { description: "rent", purposeOfPayment: "GIFT", remittanceInformation: "May" },
    });
    expect(quote.status).toBe(201);
    expect(quote.json).toEqual({
      id: expect.stringMatching(/^Quote:[0-9a-f-]{36}$/),
      status: "PENDING",
      source: { sourceType: "ACCOUNT", accountId: ana.accountId },
      destination: { destinationType: "ACCOUNT", accountId: euros },
      sendingCurrency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
      receivingCurrency: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
      totalSendingAmount: 100_000,
      totalReceivingAmount: 91_704,
      exchangeRate: 1.08695652,
      feesIncluded: 321,
      transactionId: expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/),
      rateDetails: {
        counterpartyMultiplier: 0.000092,
        counterpartyFixedFee: 10,
        serviceApiMultiplier: 9970,
        serviceApiFixedFee: 10,
        serviceApiVariableFeeRate: 0.003,
        serviceApiVariableFeeAmount: 300,
      },
      description: "rent",
      paymentRail: "SEPA",
      reference: expect.stringMatching(/^FL[0-9A-Z]{13}$/),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const lifetime = Date.parse(quote.json.expiresAt) - Date.parse(quote.json.createdAt);
    expect(lifetime).toBe(300_000);
    const transaction = await story.call("GET", `/transactions/${quote.json.transactionId}`);
    expect(transaction.json).toMatchObject({
      status: "PENDING",
      quoteId: quote.json.id,
      description: "rent",
      purposeOfPayment: "GIFT",
      remittanceInformation: "May",
      rateDetails: quote.json.rateDetails,
    });
    expect((await story.call("GET", `/quotes/${quote.json.id}`)).json).toEqual(quote.json);
  });

  it("of a locked receiving amount delivers exactly that", async () => {
    const quote = await askQuote(story, {
      from: ana.accountId,
      to: euros,
      amount: 92_000,
      side: "RECEIVING",
    });
    expect(quote.json).toMatchObject({
      totalSendingAmount: 100_322,
      totalReceivingAmount: 92_000,
      feesIncluded: 322,
    });
  });

  it("names its rail, and what is known about the receiver when the platform asks for it", async () => {
    const careful = await askingFor(server, [
      { name: "FULL_NAME", mandatory: true },
      { name: "BIRTH_DATE", mandatory: false },
      { name: "NATIONALITY", mandatory: false },
    ]);
    const { accountId, customerId } = await fundedCustomer(careful, 0);
    const to = await euroAccount(careful, customerId);
    const quote = await careful.call("POST", "/quotes", {
      ...quoteBody({ from: accountId, to }),
      destination: { destinationType: "ACCOUNT", accountId: to, paymentRail: "SEPA_INSTANT" },
    });
    expect(quote.json).toMatchObject({
      destination: { paymentRail: "SEPA_INSTANT" },
      counterpartyInformation: { FULL_NAME: "Maya Lindqvist", BIRTH_DATE: "1990-04-05" },
    });
    const { counterpartyInformation, transactionId } = quote.json;
    const transaction = await careful.call("GET", `/transactions/${transactionId}`);
    expect(transaction.json).toMatchObject({
      counterpartyInformation,
      paymentRail: "SEPA_INSTANT",
    });
  });

  it("to a wallet takes as its rail what the price list shows", async () => {
    const { data } = (
      await story.call("GET", "/exchange-rates?sourceCurrency=USD&destinationCurrency=BTC")
    ).json;
    const rails = data.map((row: { destinationPaymentRail: string }) => row.destinationPaymentRail);
    expect(rails).toContain("SPARK");
    const to = await sparkWallet(ana.customerId);
    const body = quoteBody({ from: ana.accountId, to });
    const over = (paymentRail: string) =>
      story.call("POST", "/quotes", { ...body, destination: { ...body.destination, paymentRail } });
    const quote = await over("SPARK");
    expect([quote.status, quote.json.destination.paymentRail]).toEqual([201, "SPARK"]);
    expect((await over("ACH")).json.details.reason).toBe(
      "is not a rail of the destination: one of SPARK",
    );
  });

  it("from a platform's account is made for the customer that it names", async () => {
    const from = await internalAccount(story, { currency: "USD" });
    const own = await askQuote(story, { from, to: await euroAccount(story) });
    const transaction = await story.call("GET", `/transactions/${own.json.transactionId}`);
    expect(transaction.json.customerId).toBe(`PlatformConfig:${story.platformId}`);

    const source = { sourceType: "ACCOUNT", accountId: from, customerId: ana.customerId };
    const acting = await askQuote(story, { from, to: euros, more: { source } });
    expect(acting.json.source).toEqual(source);
    const made = await story.call("GET", `/transactions/${acting.json.transactionId}`);
    expect(made.json).toMatchObject({
      customerId: ana.customerId,
      platformCustomerId: ana.platformCustomerId,
    });
  });
});

describe("an embedded wallet", () => {
  it("gives the answer under an idempotency key to the stamp that it was given to, and to no other", async () => {
    const { accountId: from, customerId } = await newWallet(story);
    await fund(story, from, 50_000_000);
    const to = await bankAccount(story, { customerId });
    const quote = await askQuote(story, { from, to, amount: 10_000_000 });
    const run = async (signature?: string) => {
      const headers = signature === undefined ? {} : { "service-wallet-signature": signature };
      const path = `/quotes/${quote.json.id}/execute`;
      return story.call("POST", path, undefined, { headers, key: "execute" });
    };
    expect((await run()).status).toBe(401);
    const first = await run(SANDBOX_STAMP);
    expect([first.status, first.json.status]).toEqual([200, "PROCESSING"]);
    expect((await run("wrong")).status).toBe(422);
    expect((await run()).status).toBe(409);
    const again = await run(SANDBOX_STAMP);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    await story.settle();
  });

  it("requires its owner's signature, and executes only with it", async () => {
    const other = await openStory(server);
    const customer = await other.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
    });
    const customerId = customer.json.id;
    const wallet = { customerId, currency: "USDB", type: "EMBEDDED_WALLET" };
    const from = await internalAccount(other, wallet);
    await fund(other, from, 50_000_000);
    const to = await bankAccount(other, { customerId });
    const at = { from, to, amount: 10_000_000 };
    const immediate = await askQuote(other, { ...at, more: { immediatelyExecute: true } });
    expect(immediate.json.details.errors).toMatchObject([{ field: "immediatelyExecute" }]);

    const quote = await askQuote(other, at);
    expect(quote.json.exchangeRate).toBe(1);
    const [{ accountOrWalletInfo }] = quote.json.paymentInstructions;
    expect(accountOrWalletInfo).toEqual({
      accountType: "EMBEDDED_WALLET",
      payloadToSign: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
    });
    const payload = Buffer.from(accountOrWalletInfo.payloadToSign, "base64url").toString();
    expect(payload).toContain(quote.json.id.slice("Quote:".length));

    for (const signature of [undefined, "", "wrong", "sandbox-valid-signature2"]) {
      const refused = await execute(other, quote.json.id, signature);
      expect(refused.status).toBe(401);
      const fault = signature === undefined ? "Missing" : "Invalid";
      expect(refused.json.details.reason).toBe(`${fault} Service-Wallet-Signature`);
    }
    const signed = await execute(other, quote.json.id, "sandbox-valid-signature");
    expect(signed.json.status).toBe("PROCESSING");
    await other.settle();
    const done = await other.call("GET", `/quotes/${quote.json.id}`);
    expect(done.json.status).toBe("COMPLETED");
  });
});

/** A Spark wallet of a customer, in satoshis. */
async function sparkWallet(customerId: string): Promise<string> {
  const made = await story.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "BTC",
    accountInfo: { accountType: "SPARK_WALLET", address: `spark1${"q".repeat(58)}789` },
  });
  expect(made.status).toBe(201);
  return made.json.id;
}

describe("the list of quotes", () => {
  it("is filtered by either account, the sender, the status and the time", async () => {
    const other = await openStory(server);
    const bo = await fundedCustomer(other, 1_000_000);
    const to = await euroAccount(other, bo.customerId);
    const first = (await askQuote(other, { from: bo.accountId, to })).json;
    const second = (await askQuote(other, { from: bo.accountId, to })).json;
    await execute(other, second.id);
    await other.settle();
    const ids = async (query: string) => {
      const list = await other.call("GET", `/quotes?${query}`);
      return list.json.data.map(({ id }: { id: string }) => id);
    };
    expect(await ids("")).toEqual([second.id, first.id]);
    expect(await ids(`customerId=${bo.customerId}`)).toEqual([second.id, first.id]);
    expect(await ids(`sendingAccountId=${bo.accountId}`)).toEqual([second.id, first.id]);
    expect(await ids(`receivingAccountId=${to}`)).toEqual([second.id, first.id]);
    expect(await ids(`receivingAccountId=${bo.accountId}`)).toEqual([]);
    expect(await ids("status=COMPLETED")).toEqual([second.id]);
    expect(await ids("status=PENDING")).toEqual([first.id]);
    expect(await ids(`createdAfter=${encodeURIComponent(second.createdAt)}`)).toContain(second.id);
    expect(await ids("createdBefore=2020-01-01T00:00:00Z")).toEqual([]);
    const customer = await other.call("GET", `/customers/${bo.customerId}`);
    const uma = encodeURIComponent(customer.json.umaAddress);
    expect(await ids(`sendingUmaAddress=${uma}`)).toEqual([second.id, first.id]);
    expect(await ids(`receivingUmaAddress=${uma}`)).toEqual([]);
    expect((await other.call("GET", "/quotes?status=LOST")).json.code).toBe("INVALID_INPUT");
  });

  it("has the platform's own under the platform's id, each way that it is narrowed", async () => {
    const other = await openStory(server);
    const bo = await fundedCustomer(other, 1_000);
    const theirs = await euroAccount(other, bo.customerId);
    await askQuote(other, { from: bo.accountId, to: theirs });
    const from = await internalAccount(other, { currency: "USD" });
    const to = await euroAccount(other);
    const own = (await askQuote(other, { from, to })).json;
    const next = (await askQuote(other, { from, to })).json;
    const acting = { sourceType: "ACCOUNT", accountId: from, customerId: bo.customerId };
    await askQuote(other, { from, to: theirs, more: { source: acting } });
    const ids = async (query: string) => {
      const id = `PlatformConfig:${other.platformId}`;
      const { json } = await other.call("GET", `/quotes?customerId=${id}${query}`);
      expect(json.totalCount).toBe(json.hasMore ? 2 : json.data.length);
      return json.data.map((quote: { id: string }) => quote.id);
    };
    expect(await ids("")).toEqual([next.id, own.id]);
    expect(await ids("&limit=1")).toEqual([next.id]);
    expect(await ids(`&sendingAccountId=${from}&status=PENDING`)).toEqual([next.id, own.id]);
    expect(await ids(`&receivingAccountId=${theirs}`)).toEqual([]);
  });
});
