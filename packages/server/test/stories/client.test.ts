/** The published client against the server itself. */
import {
  type Client,
  createClient,
  type ExternalAccount,
  FlorinConnectionError,
  FlorinError,
  type NewPlatformExternalAccount,
} from "@florin/client";
import { createClientKey } from "@florin/client/wallet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { freePort } from "../kit/free-port.ts";
import { endReceivers } from "../kit/receivers.ts";
import { fundedCustomer, openStory, type Story } from "../kit/story.ts";
import { ledgerOf, rowCounts } from "../kit/story-money.ts";
import { euroAccount } from "../kit/story-quotes.ts";
import { newWallet } from "../kit/story-wallets.ts";
import { listenTo } from "../kit/story-webhooks.ts";
import { createTestDatabase } from "../kit/test-database.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

let server: TestServer;
let story: Story;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  client = story.client;
});
afterEach(() => endReceivers());
afterAll(() => server.close());

const bank = (accountNumber: string): NewPlatformExternalAccount => ({
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber,
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
  },
});

async function refusalOf(call: Promise<unknown>): Promise<FlorinError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(FlorinError);
  return outcome as FlorinError;
}

describe("the client", () => {
  it("reads and changes the configuration and the tokens", async () => {
    const config = await client.config.get();
    expect(config.id).toBe(`PlatformConfig:${story.platformId}`);
    const changed = await client.config.update({ umaDomain: "client.test" });
    expect(changed.umaDomain).toBe("client.test");
    const token = await client.tokens.create({ name: "reader", permissions: ["VIEW"] });
    expect(token.clientSecret).toEqual(expect.any(String));
    const { clientSecret, ...shown } = token;
    expect(await client.tokens.get(token.id)).toEqual(shown);
    const list = await client.tokens.list({ name: "reader" });
    expect(list.data).toEqual([shown]);
    const { clientId } = token;
    const reader = createClient({ baseUrl: server.baseUrl, clientId, clientSecret, retries: 0 });
    expect((await reader.config.get()).id).toBe(config.id);
    const forbidden = await refusalOf(reader.config.update({ umaDomain: "x.test" }));
    expect([forbidden.status, forbidden.code]).toEqual([403, "FORBIDDEN"]);
    await client.tokens.delete(token.id);
    expect((await refusalOf(reader.config.get())).code).toBe("UNAUTHORIZED");
    expect((await refusalOf(client.tokens.get(token.id))).code).toBe("TOKEN_NOT_FOUND");
  });

  it("asks for rates, quotes and their execution", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 100_000);
    const to = await euroAccount(story, customerId);
    const rates = await client.rates.list({ destinationCurrency: ["EUR", "MXN"] });
    expect(new Set(rates.data.map((rate) => rate.destinationCurrency.code))).toEqual(
      new Set(["EUR", "MXN"]),
    );
    const source = { sourceType: "ACCOUNT", accountId } as const;
    const destination = { destinationType: "ACCOUNT", accountId: to } as const;
    const locked = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 50_000 } as const;
    const quote = await client.quotes.create({ source, destination, ...locked });
    expect(await client.quotes.get(quote.id)).toEqual(quote);
    expect((await client.quotes.list({ sendingAccountId: accountId })).data).toEqual([quote]);
    const executed = await client.quotes.execute(quote.id, { walletSignature: "ignored here" });
    expect(executed.status).toBe("PROCESSING");
    const realtime = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId } as const;
    const waiting = await client.quotes.create({ source: realtime, destination, ...locked });
    const sent = await client.sandbox.send({ quoteId: waiting.id, currencyCode: "USD" });
    expect(sent).toMatchObject({ id: waiting.transactionId, status: "PROCESSING" });
    await story.settle();
  });

  it("makes, reads, changes, lists and deletes customers and their accounts", async () => {
    const customer = await client.customers.create({
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
    });
    expect(await client.customers.get(customer.id)).toEqual(customer);
    const renamed = await client.customers.update(customer.id, {
      customerType: "INDIVIDUAL",
      fullName: "Ana R. Ruiz",
    });
    expect(renamed).toMatchObject({ id: customer.id, fullName: "Ana R. Ruiz" });
    const { platformCustomerId } = customer;
    expect((await client.customers.list({ platformCustomerId })).data).toEqual([renamed]);

    const { id: customerId } = customer;
    const theirs = await client.externalAccounts.createForCustomer({
      customerId,
      ...bank("000111"),
    });
    expect(await client.externalAccounts.getForCustomer(theirs.id)).toEqual(theirs);
    const own = await client.externalAccounts.createForPlatform(bank("000222"));
    expect(await client.externalAccounts.getForPlatform(own.id)).toEqual(own);
    const ids = (page: { readonly data: readonly ExternalAccount[] }) =>
      page.data.map(({ id }) => id);
    expect(ids(await client.externalAccounts.listForCustomers({ customerId }))).toEqual([
      theirs.id,
    ]);
    expect(ids(await client.externalAccounts.listForPlatform())).toEqual([own.id]);
    await client.externalAccounts.deleteForCustomer(theirs.id);
    await client.externalAccounts.deleteForPlatform(own.id);
    const gone = await refusalOf(client.externalAccounts.getForPlatform(own.id));
    expect([gone.status, gone.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    expect(await client.customers.delete(customer.id)).toMatchObject({ isDeleted: true });
  });

  it("makes a business with its owner and has it verified", async () => {
    const business = await client.customers.create({
      customerType: "BUSINESS",
      businessInfo: {
        legalName: "Lind Boats LLC",
        country: "US",
        taxId: "1",
        incorporatedOn: "2015-06-01",
      },
    });
    const { id: customerId } = business;
    const owner = await client.beneficialOwners.create({
      customerId,
      roles: ["UBO"],
      ownershipPercentage: 60,
      personalInfo: {
        firstName: "Mara",
        lastName: "Lind",
        birthDate: "1980-04-05",
        nationality: "US",
        address: { line1: "1", postalCode: "2", country: "US" },
        idType: "SSN",
        identifier: "123-45-6789",
      },
    });
    expect(await client.beneficialOwners.get(owner.id)).toEqual(owner);
    const changed = await client.beneficialOwners.update(owner.id, { ownershipPercentage: 50 });
    expect((await client.beneficialOwners.list({ customerId })).data).toEqual([changed]);
    const incomplete = await client.verifications.create({ customerId });
    expect(incomplete.verificationStatus).toBe("RESOLVE_ERRORS");
    expect(incomplete.errors[0]).toMatchObject({ resourceId: customerId, type: "MISSING_FIELD" });
    await client.customers.update(customerId, {
      customerType: "BUSINESS",
      businessInfo: { registrationNumber: "100" },
    });
    const done = await client.verifications.create({ customerId });
    expect(await client.verifications.get(done.id)).toEqual(done);
    expect((await client.verifications.list({ customerId })).data).toEqual([done, incomplete]);
    expect(await client.customers.get(customerId)).toMatchObject({
      kybStatus: "APPROVED",
      beneficialOwners: [{ id: owner.id, kycStatus: "APPROVED" }],
    });
  });

  it("opens wallets, and carries the owner's signature", async () => {
    const { accountId } = await newWallet(story);
    const made = await client.credentials.create({ type: "EMAIL_OTP", accountId });
    if (!("id" in made)) throw new Error("the first credential is made at once");
    expect((await client.credentials.list({ accountId })).data).toEqual([made]);
    expect(await client.credentials.challenge(made.id)).toMatchObject({ id: made.id });
    const { clientPublicKey } = await createClientKey();
    const proof = { type: "EMAIL_OTP", otp: "000000", clientPublicKey } as const;
    const { encryptedSessionSigningKey: key, ...session } = await client.credentials.verify(
      made.id,
      proof,
    );
    expect(key).toBeTypeOf("string");
    expect((await client.sessions.list({ accountId })).data).toEqual([session]);
    const wrong = await refusalOf(client.credentials.verify(made.id, { ...proof, otp: "1" }));
    expect([wrong.status, wrong.details]).toEqual([401, { reason: "Invalid OTP code" }]);

    const signed = (asked: unknown) => ({
      signature: {
        requestId: (asked as { readonly requestId: string }).requestId,
        stamp: "sandbox-valid-signature",
      },
    });
    const body = { clientPublicKey };
    const asked = await client.wallets.export(accountId, body);
    expect(await client.wallets.export(accountId, body, signed(asked))).toMatchObject({
      id: accountId,
    });
    expect((await client.wallets.issuerKey()).publicKey).toMatch(/^04/);
    const next = await client.sessions.refresh(session.id, body);
    expect(await client.sessions.refresh(session.id, body, signed(next))).toMatchObject({
      accountId,
    });
    const end = await client.sessions.revoke(session.id);
    expect(await client.sessions.revoke(session.id, signed(end))).toBeUndefined();
    const only = await refusalOf(client.credentials.revoke(made.id));
    expect(only.code).toBe("LAST_CREDENTIAL");
  });

  it("moves money, follows it, and verifies the webhooks", async () => {
    const receiver = await listenTo(story);
    const { id: customerId } = await client.customers.create({
      customerType: "INDIVIDUAL",
      fullName: "Bea Ott",
      currencies: ["USD"],
    });
    const accounts = await client.internalAccounts.listForCustomers({
      customerId,
      currency: "USD",
    });
    const accountId = accounts.data[0]?.id ?? "";
    const platformAccounts = await client.internalAccounts.listForPlatform({ currency: "USD" });
    expect(platformAccounts.data).toHaveLength(1);
    expect((await client.sandbox.fund(accountId, { amount: 1_000 })).balance.amount).toBe(1_000);
    const external = await client.externalAccounts.createForCustomer({
      customerId,
      ...bank("000333"),
    });
    const sent = await client.transfers.out({
      source: { accountId },
      destination: { accountId: external.id },
      amount: 400,
    });
    const pulled = await client.transfers.in({
      source: { accountId: external.id },
      destination: { accountId },
      amount: 50,
    });
    const before = Date.parse((await client.sandbox.clock()).now);
    const { now } = await client.sandbox.advanceClock({ seconds: 60 });
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(60_000);
    expect(await client.transactions.get(sent.id)).toMatchObject({ status: "COMPLETED" });
    const list = await client.transactions.list({ customerId, sortOrder: "asc" });
    expect(list.data.map(({ id }) => id).slice(1)).toEqual([sent.id, pulled.id]);
    expect(await ledgerOf(story, accountId)).toEqual({ available: 650, held: 0 });

    expect((await client.webhooks.publicKey()).publicKey).toBe(story.webhookPublicKey);
    expect(await client.sandbox.testWebhook()).toMatchObject({ response_status: 200 });
    const last = (await receiver.events()).filter(({ data }) => data.id === sent.id).at(-1);
    expect(last?.data).toEqual(await client.transactions.get(sent.id));
    const poor = await refusalOf(
      client.transfers.out({
        source: { accountId },
        destination: { accountId: external.id },
        amount: 651,
      }),
    );
    expect([poor.status, poor.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    expect(poor.requestId).toEqual(expect.any(String));
  });

  it("goes through 250 customers page by page, each once", async () => {
    const many = await openStory(server);
    const made = await Promise.all(
      Array.from({ length: 250 }, (_, index) =>
        many.client.customers.create({
          customerType: "INDIVIDUAL",
          platformCustomerId: `c-${index}`,
          currencies: ["USD"],
        }),
      ),
    );
    const seen: string[] = [];
    for await (const { id } of many.client.customers.list({ limit: 100 })) seen.push(id);
    expect(seen.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    const sizes: number[] = [];
    for await (const page of many.client.customers.list({ limit: 100 }).pages()) {
      expect(page.totalCount).toBe(250);
      sizes.push(page.data.length);
    }
    expect(sizes).toEqual([100, 100, 50]);
  });
});

describe("a call that is repeated", () => {
  it("takes effect once, though the server was away in between", async () => {
    const database = await createTestDatabase();
    const settings = readConfig({
      DATABASE_URL: database.url,
      MASTER_KEY: "0123456789abcdef".repeat(4),
      PORT: String(await freePort()),
      LOG_LEVEL: "silent",
    });
    let app: App = await startApp(settings);
    const created = app.created;
    if (created === undefined) throw new Error("a first start makes a platform");
    const { clientId, clientSecret } = created;
    let isLosing = false;
    const notices: unknown[] = [];
    const repeating = createClient({
      baseUrl: `${app.baseUrl}/2025-10-13`,
      clientId,
      clientSecret,
      retries: 2,
      // The first answer is lost, and the server goes away and comes back before the next try.
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!isLosing) return response;
        isLosing = false;
        await response.text();
        throw new TypeError("the connection broke");
      },
      sleep: async () => {
        await app.close();
        app = await startApp(settings);
      },
      onRetry: ({ error }) => notices.push(error),
    });
    try {
      const [account] = (await repeating.internalAccounts.listForPlatform({ currency: "USD" }))
        .data;
      const moved = await repeating.sandbox.advanceClock({ seconds: 3_600 });
      isLosing = true;
      const funded = await repeating.sandbox.fund(account?.id ?? "", { amount: 700 });
      expect(funded.balance.amount).toBe(700);
      expect(notices).toHaveLength(1);
      expect(notices[0]).toBeInstanceOf(FlorinConnectionError);
      const now = await repeating.internalAccounts.listForPlatform({ currency: "USD" });
      expect(now.data[0]?.balance.amount).toBe(700);
      const list = await repeating.transactions.list();
      expect(list.totalCount).toBe(1);
      const dated = list.data[0]?.createdAt ?? "";
      expect(Date.parse(dated)).toBeGreaterThanOrEqual(Date.parse(moved.now));
      const { now: later } = await repeating.sandbox.clock();
      expect(Date.parse(later)).toBeGreaterThanOrEqual(Date.parse(dated));
    } finally {
      await app.close();
      await database.drop();
    }
  });

  it("waits as long as a busy server asks, and then gets its answer", async () => {
    const waits: number[] = [];
    let isBusy = true;
    const patient = createClient({
      baseUrl: server.baseUrl,
      clientId: story.clientId,
      clientSecret: story.clientSecret,
      fetch: async (input, init) => {
        if (!isBusy) return fetch(input, init);
        isBusy = false;
        return new Response("{}", { status: 503, headers: { "retry-after": "3" } });
      },
      sleep: async (delayMs) => {
        waits.push(delayMs);
      },
    });
    const before = await rowCounts(story);
    const [account] = (await patient.internalAccounts.listForPlatform({ currency: "USD" })).data;
    await patient.sandbox.fund(account?.id ?? "", { amount: 1 }, { idempotencyKey: "fund-1" });
    await patient.sandbox.fund(account?.id ?? "", { amount: 1 }, { idempotencyKey: "fund-1" });
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(3_000);
    expect((await rowCounts(story)).transactions).toBe((before.transactions ?? 0) + 1);
  });
});
