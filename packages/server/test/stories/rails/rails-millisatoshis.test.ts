/** MSAT: a currency of connections and their books, which nothing else of a platform can have. */
import { beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { activeConnection, expectStatus, manualConnection } from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
beforeEach(async () => {
  story = await openStory(server);
});

describe("a connection in millisatoshis", () => {
  it("books its entries, its items and its balance to the unit", async () => {
    const id = await activeConnection(story, { ...manualConnection(), currencies: ["MSAT"] });
    const at = `/rails/connections/${id}`;
    const line = {
      bankReference: "L-1",
      direction: "CREDIT",
      amount: 1_250_001,
      currency: "MSAT",
      bookedOn: "2026-11-24",
    };
    const entry = expectStatus(201, await story.call("POST", `${at}/entries`, line)).json;
    const msat = { code: "MSAT", name: "Millisatoshi", symbol: "msat", decimals: 0 };
    expect(entry.amount).toEqual({ amount: 1_250_001, currency: msat });
    const balance = { currency: "MSAT", booked: 1_250_001, asOf: "2026-11-24" };
    const told = await story.call("POST", `${at}/balances`, balance);
    expect(expectStatus(201, told).json).toMatchObject({
      closing: { amount: "1250001", currency: "MSAT" },
      unexplained: { amount: "0", currency: "MSAT" },
    });

    const items = await story.call("GET", `/rails/items?connectionId=${id}`);
    expect(items.json.data).toMatchObject([{ entryId: entry.id, reason: "UNREFERENCED" }]);
    const { json } = await story.call("GET", "/ledger/accounts?currency=MSAT&limit=100");
    const balances = json.data.map((account: { kind: string; balance: { amount: string } }) => [
      account.kind,
      account.balance.amount,
    ]);
    expect(balances.toSorted()).toEqual([
      ["clearing", "-1250001"],
      ["suspense", "1250001"],
    ]);
  });

  it("has routes in them", async () => {
    const id = await activeConnection(story, {
      ...manualConnection(),
      currencies: ["USD", "MSAT"],
    });
    const wish = { name: "sats", direction: "OUT", currency: "MSAT", connectionId: id };
    const route = expectStatus(201, await story.call("POST", "/rails/routes", wish)).json;
    expect(route.currency).toBe("MSAT");
    const listed = await story.call("GET", "/rails/routes?currency=MSAT");
    expect(listed.json.data).toHaveLength(1);
  });
});

describe("a position", () => {
  it("has limits in them", async () => {
    const limits = [{ currency: "MSAT", maxLong: 5_000_000_000, maxShort: 0 }];
    const set = expectStatus(200, await story.call("PUT", "/fx/limits", { limits }));
    expect(set.json).toEqual({ limits });
    const { data } = (await story.call("GET", "/fx/positions")).json;
    const { maxLong, maxShort } = limits[0] ?? {};
    expect(data).toContainEqual(
      expect.objectContaining({ limit: { maxLong, maxShort }, net: expect.anything() }),
    );
    expectStatus(200, await story.call("PUT", "/fx/limits", { limits: [] }));
  });
});

describe("anything else", () => {
  type Ask = (code: string) => readonly [method: "GET" | "POST" | "PUT" | "PATCH", string, object?];
  const supported = (currencyCode: string) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  });

  it.each<readonly [what: string, ask: Ask]>([
    [
      "currencies of a platform",
      (code) => ["PATCH", "/config", { supportedCurrencies: [supported(code)] }],
    ],
    [
      "a customer's currencies",
      (code) => ["POST", "/customers", { customerType: "INDIVIDUAL", currencies: [code] }],
    ],
    ["exchange rates", (code) => ["GET", `/exchange-rates?sourceCurrency=${code}`]],
    ["a destination", (code) => ["GET", `/exchange-rates?destinationCurrency=${code}`]],
    [
      "a spread",
      (code) => ["PUT", "/rates/spreads", { spreads: [{ from: code, to: "*", bps: 5 }] }],
    ],
    [
      "a fee",
      (code) => ["PUT", "/fees", { rules: [{ from: "USD", to: code, fixedMinor: 5, bps: 2 }] }],
    ],
    [
      "a source of rates",
      (code) => [
        "POST",
        "/rates/sources",
        { name: "desk", kind: "FIXED", pairs: [{ base: "BTC", quote: code }] },
      ],
    ],
    ["a valuation", (code) => ["GET", `/fx/positions?valueIn=${code}`]],
    [
      "money over UMA",
      (code) => [
        "POST",
        "/sandbox/uma/receive",
        {
          senderUmaAddress: "$ana@vasp.example",
          customerId: "Customer:018f0000-0000-7000-8000-0000000000d1",
          receivingCurrencyCode: code,
          receivingCurrencyAmount: 100,
        },
      ],
    ],
  ])("refuses it like an unknown one: %s", async (_what, ask) => {
    const [known, unknown] = await Promise.all(
      ["MSAT", "MSXX"].map(async (code) => {
        const [method, path, body] = ask(code);
        const { status, json } = await story.call(method, path, body);
        const { requestId: _, ...details } = json.details ?? {};
        const said = JSON.stringify({ status, code: json.code, message: json.message, details });
        return { status, said: said.replaceAll(code, "CODE") };
      }),
    );
    expect(known?.status).toBe(400);
    expect(known).toEqual(unknown);
  });

  it("refuses it for accounts and quotes like an unknown one", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 10_000);
    const destination = await bankAccount(story);
    const { json: sample } = await story.call("GET", `/customers/external-accounts/${destination}`);
    const asks: readonly Ask[] = [
      (code) => ["POST", "/internal-accounts", { customerId, currency: code }],
      (code) => [
        "POST",
        "/customers/external-accounts",
        { customerId, currency: code, accountInfo: sample.accountInfo },
      ],
      (code) => [
        "POST",
        "/quotes",
        {
          source: { sourceType: "REALTIME_FUNDING", currency: code, customerId },
          destination: { destinationType: "ACCOUNT", accountId },
          lockedCurrencySide: "SENDING",
          lockedCurrencyAmount: 100,
        },
      ],
    ];
    for (const ask of asks) {
      const said = [];
      for (const code of ["MSAT", "MSXX"]) {
        const [method, path, body] = ask(code);
        const { status, json } = await story.call(method, path, body);
        const { requestId: _, ...details } = json.details ?? {};
        const text = JSON.stringify([status, json.code, json.message, details]);
        said.push(text.replaceAll(code, "CODE"));
      }
      expect(said[0]).toMatch(/^\[4\d\d,/);
      expect(said[0]).toBe(said[1]);
    }
  });
});
