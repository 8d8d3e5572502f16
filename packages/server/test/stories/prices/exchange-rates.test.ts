import { beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

interface Row {
  readonly sourceCurrency: { readonly code: string; readonly decimals: number };
  readonly destinationCurrency: { readonly code: string; readonly decimals: number };
  readonly destinationPaymentRail: string;
  readonly sendingAmount: number;
  readonly receivingAmount: number;
  readonly exchangeRate: number;
  readonly fees: { readonly fixed: number; readonly total: number };
}

async function rows(query = ""): Promise<readonly Row[]> {
  const list = await story.call("GET", `/exchange-rates${query}`);
  expect(list.status, list.text).toBe(200);
  return list.json.data;
}

const railsOf = (list: readonly Row[]) =>
  list.map((row) => `${row.destinationCurrency.code} ${row.destinationPaymentRail}`);

describe("exchange rates", () => {
  it("are listed for every rail, and keep the rate when fees are off", async () => {
    const list = await rows(
      "?sourceCurrency=USD&destinationCurrency=EUR&destinationCurrency=BTC&sendingAmount=100000",
    );
    expect(railsOf(list)).toEqual([
      "BTC LIGHTNING",
      "BTC SPARK",
      "EUR SEPA",
      "EUR SEPA_INSTANT",
      "EUR SWIFT",
    ]);
    expect(list[2]).toEqual({
      sourceCurrency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
      destinationCurrency: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
      destinationPaymentRail: "SEPA",
      sendingAmount: 100_000,
      minSendingAmount: 1,
      maxSendingAmount: 100_000_000_000,
      receivingAmount: 91_704,
      exchangeRate: 1.08695652,
      fees: { fixed: 10, total: 321 },
      updatedAt: expect.stringMatching(/:[0-5][05]:00\.000Z$/),
    });
  });

  it("are listed for a currency that only SWIFT reaches, and for the wallets that hold a token", async () => {
    const query = "?sourceCurrency=USD&destinationCurrency=JPY&destinationCurrency=USDT";
    expect(railsOf(await rows(query))).toEqual([
      "JPY SWIFT",
      "USDT ETHEREUM",
      "USDT PLASMA",
      "USDT TRON",
    ]);
  });

  it("cover every pair that the platform sends, at ten thousand units unless it is said otherwise", async () => {
    const list = await rows();
    const sources = new Set(list.map((row) => row.sourceCurrency.code));
    expect(sources).toEqual(new Set(["BTC", "EUR", "MXN", "USD", "USDB", "USDC"]));
    for (const row of list) expect(row.sendingAmount).toBe(10_000);
    const keys = list.map((row) => `${row.sourceCurrency.code} ${railsOf([row])}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([0, 1, 9, 10_000, 1_000_000])("add up for %i", async (amount) => {
    for (const row of await rows(`?sendingAmount=${amount}`)) {
      const { fees, receivingAmount, exchangeRate } = row;
      expect(fees.fixed).toBeLessThanOrEqual(fees.total);
      expect(fees.total).toBeLessThanOrEqual(amount);
      expect(exchangeRate).toBeGreaterThan(0);
      if (receivingAmount === 0) expect(fees.total).toBe(amount);
      const net = (amount - fees.total) / 10 ** row.sourceCurrency.decimals;
      const bought = (net / exchangeRate) * 10 ** row.destinationCurrency.decimals;
      expect(Math.abs(bought - receivingAmount)).toBeLessThan(1 + bought * 1e-6);
    }
  });

  it("change at once with the settings that they are made of", async () => {
    const other = await openStory(server);
    const ask = () => other.call("GET", "/exchange-rates?sourceCurrency=USD");
    const first = await ask();
    const [usd] = (await other.call("GET", "/config")).json.supportedCurrencies;
    await other.call("PATCH", "/config", { supportedCurrencies: [{ ...usd, maxAmount: 777 }] });
    const second = await ask();
    expect(second.json.data).toHaveLength(first.json.data.length);
    for (const row of second.json.data) expect(row.maxSendingAmount).toBe(777);
  });

  it("have the symbol of each currency", async () => {
    const other = await openStory(server);
    const [usd] = (await other.call("GET", "/config")).json.supportedCurrencies;
    const all = ["BTC", "EUR", "GBP", "INR", "USD"];
    const supportedCurrencies = all.map((currencyCode) => ({ ...usd, currencyCode }));
    await other.call("PATCH", "/config", { supportedCurrencies });
    const list = await other.call("GET", "/exchange-rates");
    const symbols = new Map(
      list.json.data.map((row: Row & { sourceCurrency: { symbol: string } }) => [
        row.sourceCurrency.code,
        row.sourceCurrency.symbol,
      ]),
    );
    expect([...symbols]).toEqual([
      ["BTC", "₿"],
      ["EUR", "€"],
      ["GBP", "£"],
      ["INR", "₹"],
      ["USD", "$"],
    ]);
    expect(list.headers.get("content-length")).toBe(String(Buffer.byteLength(list.text)));
  });

  it("are refused for what is no currency or no amount", async () => {
    const code = async (query: string) =>
      (await story.call("GET", `/exchange-rates?${query}`)).json.code;
    expect(await code("sourceCurrency=usd")).toBe("INVALID_CURRENCY");
    expect(await code("destinationCurrency=XXX")).toBe("INVALID_CURRENCY");
    expect(await code("sendingAmount=-1")).toBe("INVALID_AMOUNT");
    expect(await code("sendingAmount=1.5")).toBe("INVALID_AMOUNT");
    expect(await code("sourceCurrency=USD&sourceCurrency=EUR")).toBe("INVALID_INPUT");
    expect(await rows("?sourceCurrency=JPY")).toEqual([]);
  });

  it("are refused for an amount of any length above the largest", async () => {
    for (const amount of ["9000000000000001", "9223372036854775807", "9".repeat(300)]) {
      const answer = await story.call("GET", `/exchange-rates?sendingAmount=${amount}`);
      expect(answer.json).toMatchObject({
        code: "INVALID_AMOUNT",
        details: {
          errors: [
            {
              field: "sendingAmount",
              message: "must be at most 9000000000000000",
              constraint: { maximum: 9_000_000_000_000_000 },
            },
          ],
        },
      });
    }
  });

  it("are refused for an amount that buys more than an amount can say", async () => {
    const largest = "sourceCurrency=USD&sendingAmount=9000000000000000";
    expect(await rows(`?${largest}&destinationCurrency=EUR`)).not.toEqual([]);
    for (const query of [`${largest}&destinationCurrency=USDC`, "sendingAmount=9000000000000000"]) {
      expect(await story.call("GET", `/exchange-rates?${query}`)).toMatchObject({
        status: 400,
        json: { code: "INVALID_AMOUNT", details: { field: "sendingAmount" } },
      });
    }
  });

  it("report every unknown code under its parameter", async () => {
    const query = "sourceCurrency=usd&destinationCurrency=EUR&destinationCurrency=XXX";
    const { details } = (await story.call("GET", `/exchange-rates?${query}`)).json;
    expect(details.field).toBe("sourceCurrency");
    const named = present(details.errors, "errors").map(({ field }: { field: string }) => field);
    expect(named).toEqual(["sourceCurrency", "destinationCurrency"]);
  });
});
