import { beforeAll, describe, expect, it } from "vitest";
import { allPages, eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Account {
  readonly id: string;
  readonly customerId?: string;
  readonly type: string;
  readonly balance: { readonly amount: number; readonly currency: { readonly code: string } };
  readonly totalBalance: { readonly amount: number };
  readonly fundingPaymentInstructions: readonly {
    readonly accountOrWalletInfo: Readonly<Record<string, unknown>>;
  }[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

async function list(query: string, on = story): Promise<readonly Account[]> {
  const { status, json } = await on.call("GET", `/customers/internal-accounts?limit=100&${query}`);
  expect(status).toBe(200);
  expect(json.totalCount).toBe(json.data.length);
  return json.data;
}

async function newCustomer(currencies?: readonly string[], on = story): Promise<string> {
  const body = { customerType: "INDIVIDUAL", ...(currencies === undefined ? {} : { currencies }) };
  return (await on.call("POST", "/customers", body)).json.id;
}

const shape = ({ type, balance }: Account) => `${type} ${balance.currency.code}`;

describe("an internal account", () => {
  it("starts empty and active, with every field", async () => {
    const customerId = await newCustomer(["USD"]);
    const [account] = await list(`customerId=${customerId}`);
    const usd = { code: "USD", name: expect.any(String), symbol: "$", decimals: 2 };
    expect(account).toEqual({
      id: expect.stringMatching(/^InternalAccount:[0-9a-f-]{36}$/),
      customerId,
      type: "INTERNAL_FIAT",
      status: "ACTIVE",
      balance: { amount: 0, currency: usd },
      totalBalance: { amount: 0, currency: usd },
      fundingPaymentInstructions: expect.any(Array),
      createdAt: expect.stringMatching(MOMENT),
      updatedAt: account?.createdAt,
    });
  });

  it("is read alone as it is listed, of a customer or of the platform", async () => {
    const customerId = await newCustomer();
    const own = (await story.call("GET", "/platform/internal-accounts")).json.data;
    for (const account of [...(await list(`customerId=${customerId}`)), ...own]) {
      const { status, json } = await story.call("GET", `/internal-accounts/${account.id}`);
      expect([status, json]).toEqual([200, account]);
    }
    const unknown = "InternalAccount:01a00000-0000-7000-8000-000000000000";
    for (const id of [unknown, customerId, "x"]) {
      const { status, json } = await story.call("GET", `/internal-accounts/${id}`);
      expect([status, json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
  });

  it("counts in the smallest unit of its currency", async () => {
    const customerId = await newCustomer();
    const decimals = new Map(
      (await list(`customerId=${customerId}`)).map(({ balance }) => {
        const { code, decimals: digits } = balance.currency as { code: string; decimals?: number };
        return [code, digits];
      }),
    );
    expect(Object.fromEntries(decimals)).toEqual({
      USD: 2,
      EUR: 2,
      MXN: 2,
      BTC: 8,
      USDC: 6,
      USDB: 6,
    });
  });

  it("says how it is funded, each account in its own way and always in the same one", async () => {
    const customerId = await newCustomer(["USD"]);
    const otherId = await newCustomer(["USD"]);
    const [account] = await list(`customerId=${customerId}`);
    const [other] = await list(`customerId=${otherId}`);
    const info = account?.fundingPaymentInstructions[0]?.accountOrWalletInfo;
    expect(info).toMatchObject({
      accountType: "USD_ACCOUNT",
      accountNumber: expect.stringMatching(/^\d+$/),
      routingNumber: expect.stringMatching(/^\d{9}$/),
      paymentRails: expect.any(Array),
      reference: expect.stringMatching(/./),
    });
    expect(info?.accountNumber).not.toBe(
      other?.fundingPaymentInstructions[0]?.accountOrWalletInfo.accountNumber,
    );
    expect((await list(`customerId=${customerId}`))[0]).toEqual(account);
  });

  it("of a wallet has a Spark address, and no secret in any answer", async () => {
    const customerId = await newCustomer(["USDB"]);
    const [wallet] = await list(`customerId=${customerId}&type=EMBEDDED_WALLET`);
    const kinds = wallet?.fundingPaymentInstructions.map((one) => one.accountOrWalletInfo);
    expect(kinds).toContainEqual(
      expect.objectContaining({
        accountType: "SPARK_WALLET",
        address: expect.stringMatching(/^spark1/),
      }),
    );
    expect(JSON.stringify(wallet)).not.toMatch(/mnemonic|sealed|private/i);
    const other = await newCustomer(["USDB"]);
    const [another] = await list(`customerId=${other}&type=EMBEDDED_WALLET`);
    expect(another?.fundingPaymentInstructions).not.toEqual(wallet?.fundingPaymentInstructions);
  });
});

describe("the balances of an account", () => {
  it("are the available amount and the total: a payment under way is held", async () => {
    const { accountId, customerId } = await fundedCustomer(story, 1_000);
    const destination = await bankAccount(story, { customerId, suffix: "005" });
    const amounts = async () => {
      const [account] = await list(`customerId=${customerId}`);
      return [account?.balance.amount, account?.totalBalance.amount];
    };
    expect(await amounts()).toEqual([1_000, 1_000]);
    await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: destination },
      amount: 400,
    });
    await story.settle();
    expect(await amounts()).toEqual([600, 1_000]);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    await story.settle();
    expect(await amounts()).toEqual([1_000, 1_000]);
  });

  it("change `updatedAt`, and are sent as the list shows them", async () => {
    const customerId = await newCustomer(["USD"]);
    const [before] = await list(`customerId=${customerId}`);
    const path = `/sandbox/internal-accounts/${before?.id}/fund`;
    const funded = await story.call("POST", path, { amount: 25 });
    const [after] = await list(`customerId=${customerId}`);
    expect(after).toEqual(funded.json);
    expect(after?.createdAt).toBe(before?.createdAt);
    expect(Date.parse(after?.updatedAt ?? "")).toBeGreaterThanOrEqual(
      Date.parse(before?.updatedAt ?? ""),
    );
    const events = await eventsOf(story, before?.id);
    expect(events.map(({ type }) => type)).toEqual(["INTERNAL_ACCOUNT.BALANCE_UPDATED"]);
    expect(events[0]?.body.data).toEqual(after);
  });
});

describe("the accounts of customers", () => {
  it("can be asked for by customer, currency and type, alone and together", async () => {
    const own = await openStory(server);
    const one = await newCustomer(["USD", "USDB"], own);
    const two = await newCustomer(["USD", "BTC"], own);
    const shapes = async (query: string) => (await list(query, own)).map(shape).sort();
    expect(await shapes("")).toEqual([
      "EMBEDDED_WALLET USDB",
      "INTERNAL_CRYPTO BTC",
      "INTERNAL_CRYPTO USDB",
      "INTERNAL_FIAT USD",
      "INTERNAL_FIAT USD",
    ]);
    expect(await shapes(`customerId=${two}`)).toEqual(["INTERNAL_CRYPTO BTC", "INTERNAL_FIAT USD"]);
    expect(await shapes("currency=USD")).toEqual(["INTERNAL_FIAT USD", "INTERNAL_FIAT USD"]);
    expect(await shapes("currency=EUR")).toEqual([]);
    expect(await shapes("type=INTERNAL_CRYPTO")).toEqual([
      "INTERNAL_CRYPTO BTC",
      "INTERNAL_CRYPTO USDB",
    ]);
    expect(await shapes("type=EMBEDDED_WALLET")).toEqual(["EMBEDDED_WALLET USDB"]);
    expect(await shapes(`type=INTERNAL_CRYPTO&customerId=${one}`)).toEqual([
      "INTERNAL_CRYPTO USDB",
    ]);
    expect(await shapes("type=INTERNAL_FIAT&currency=BTC")).toEqual([]);
    expect(await shapes(`customerId=${one}&currency=USDB&type=EMBEDDED_WALLET`)).toEqual([
      "EMBEDDED_WALLET USDB",
    ]);
  });

  it("have ids of the time that they say they were made at, so that the list is newest first", async () => {
    const own = await openStory(server);
    await own.call("POST", "/sandbox/clock/advance", { seconds: 3_600 });
    await Promise.all(Array.from({ length: 8 }, () => newCustomer(["USD", "USDB"], own)));
    const { json } = await own.call("GET", "/customers/internal-accounts?limit=100");
    const accounts: readonly Account[] = json.data;
    expect(accounts).toHaveLength(24);
    const times = accounts.map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual([...times].sort((left, right) => right - left));
    const timesOfIds = accounts.map(({ id }) =>
      Number.parseInt(id.slice("InternalAccount:".length).replace("-", "").slice(0, 12), 16),
    );
    expect(timesOfIds).toEqual(times);
  });

  it("are all shown once, page by page, while customers are added", async () => {
    const own = await openStory(server);
    await newCustomer(undefined, own);
    await newCustomer(undefined, own);
    const before = (await list("", own)).map(({ id }) => id);
    expect(before).toHaveLength(14);
    const path = "/customers/internal-accounts?limit=3";
    const seen = await allPages(own, path, () => newCustomer(["USD"], own));
    expect(seen.map(({ id }) => id)).toEqual(before);
  });

  it("refuse a filter that does not fit", async () => {
    for (const [query, field] of [
      ["customerId=nobody", "customerId"],
      ["customerId=", "customerId"],
      ["type=SAVINGS", "type"],
      ["currency=", "currency"],
      ["currency=usd", "currency"],
      ["limit=101", "limit"],
      ["cursor=x", "cursor"],
    ]) {
      const refused = await story.call("GET", `/customers/internal-accounts?${query}`);
      expect([query, refused.status, refused.json.code]).toEqual([query, 400, "INVALID_INPUT"]);
      expect(refused.json.details.errors[0].field).toBe(field);
    }
  });

  it("have no made-up instructions in production: only a wallet's own address is real", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const customerId = await newCustomer(undefined, production);
    const accounts = await list(`customerId=${customerId}`, production);
    const targets = accounts.map((account) => [
      shape(account),
      ...account.fundingPaymentInstructions.map((one) => one.accountOrWalletInfo.accountType),
    ]);
    expect(targets.map((target) => target.join(" ")).sort()).toEqual([
      "EMBEDDED_WALLET USDB SPARK_WALLET",
      "INTERNAL_CRYPTO BTC",
      "INTERNAL_CRYPTO USDB",
      "INTERNAL_CRYPTO USDC",
      "INTERNAL_FIAT EUR",
      "INTERNAL_FIAT MXN",
      "INTERNAL_FIAT USD",
    ]);
    const own = await production.call("GET", "/platform/internal-accounts");
    const instructions = (own.json.data as readonly Account[]).flatMap(
      (account) => account.fundingPaymentInstructions,
    );
    expect([own.json.totalCount, instructions]).toEqual([6, []]);
  });

  it("stay readable when their customer is deleted", async () => {
    const customerId = await newCustomer(["USD"]);
    const before = await list(`customerId=${customerId}`);
    await story.call("DELETE", `/customers/${customerId}`);
    expect(await list(`customerId=${customerId}`)).toEqual(before);
  });
});

describe("the accounts of the platform", () => {
  const own = async (query = "", on = story): Promise<readonly Account[]> => {
    const { json } = await on.call("GET", `/platform/internal-accounts${query}`);
    expect(json).toMatchObject({ hasMore: false, totalCount: json.data.length });
    return json.data;
  };

  it("are one for each of its currencies, without a wallet and without a customer", async () => {
    await newCustomer();
    const accounts = await own();
    expect(accounts.map(shape).sort()).toEqual([
      "INTERNAL_CRYPTO BTC",
      "INTERNAL_CRYPTO USDB",
      "INTERNAL_CRYPTO USDC",
      "INTERNAL_FIAT EUR",
      "INTERNAL_FIAT MXN",
      "INTERNAL_FIAT USD",
    ]);
    for (const account of accounts) {
      expect(account).not.toHaveProperty("customerId");
      expect(account.fundingPaymentInstructions).toEqual(
        account.fundingPaymentInstructions.map((one) => ({ ...one, isPlatformAccount: true })),
      );
    }
  });

  it("are not among those of customers, nor the other way round", async () => {
    const ofCustomers = new Set(
      (await allPages(story, "/customers/internal-accounts?limit=100")).map(({ id }) => id),
    );
    const ofPlatform = await own();
    expect(ofCustomers.size).toBeGreaterThan(0);
    for (const { id } of ofPlatform) expect(ofCustomers).not.toContain(id);
  });

  it("can be asked for by currency and type, and page by page", async () => {
    expect((await own("?currency=EUR")).map(shape)).toEqual(["INTERNAL_FIAT EUR"]);
    expect((await own("?type=INTERNAL_CRYPTO")).map(shape).sort()).toEqual([
      "INTERNAL_CRYPTO BTC",
      "INTERNAL_CRYPTO USDB",
      "INTERNAL_CRYPTO USDC",
    ]);
    expect(await own("?type=INTERNAL_FIAT&currency=BTC")).toEqual([]);
    expect(await own("?type=EMBEDDED_WALLET")).toEqual([]);
    const all = await own();
    expect(await allPages(story, "/platform/internal-accounts?limit=4")).toEqual(all);
  });

  it("can be funded in a sandbox", async () => {
    const [account] = await own("?currency=USD");
    const path = `/sandbox/internal-accounts/${account?.id}/fund`;
    const funded = await story.call("POST", path, { amount: 100_000_000_000 });
    expect(funded.json.balance.amount).toBe(100_000_000_000);
    expect((await own("?currency=USD"))[0]).toEqual(funded.json);
    for (const amount of [0, -1, 1.5, 100_000_000_001, "5", null]) {
      const refused = await story.call("POST", path, { amount });
      expect([amount, refused.status, refused.json.code]).toEqual([amount, 400, "INVALID_AMOUNT"]);
    }
    const missing = await story.call("POST", path, {});
    expect(missing).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  });
});
