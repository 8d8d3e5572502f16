/** In which currencies a customer can be paid from outside: causes, order, limits and prices. */
import { describe, expect, it } from "vitest";
import { customer, platform } from "../../../../test/kit/payment-rows.ts";
import { kycStatuses } from "../../customers/customer.ts";
import type { SupportedCurrency } from "../../platform.ts";
import type { RateSource } from "../../prices/rate-sources/rate-source.ts";
import { openSources } from "../../prices/rates/market-rate.ts";
import { type LookupFacts, lookupReceiver, type OfferedAsset } from "./lookup-receiver.ts";

const AT = Date.parse("2026-11-20T12:00:00Z");
const asOf = "2026-11-20T11:30:00.000Z";
const rates = [
  { base: "BTC", quote: "EUR", rate: "80000", asOf },
  { base: "EUR", quote: "USD", rate: "1.25", asOf },
];
const source = { kind: "FIXED", priority: 1, pivots: ["EUR"], rates, maxAgeMinutes: 60 };
const prices = {
  sources: openSources([source as unknown as RateSource]),
  spreads: [{ from: "*", to: "*", bps: 0 }],
  at: AT,
};

const ln: OfferedAsset = {
  layer: "ln",
  identifier: "BTC",
  currency: "MSAT",
  minMinor: null,
  maxMinor: null,
};
const bank: OfferedAsset = { ...ln, layer: "bank.example", identifier: "EUR", currency: "EUR" };

const supported = (currencyCode: string, more: Partial<SupportedCurrency> = {}) => ({
  currencyCode,
  minAmount: 100,
  maxAmount: 1_000_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ["INCOMING", "OUTGOING"] as const,
  ...more,
});

const facts: LookupFacts = {
  platform: { ...platform, supportedCurrencies: [supported("USD"), supported("EUR")] },
  customer: { ...customer, currencies: ["EUR", "USD"] },
  assets: [ln, bank],
  prices,
};
const found = (more: Partial<LookupFacts> = {}) => lookupReceiver({ ...facts, ...more });
const shown = (more: Partial<LookupFacts> = {}) =>
  found(more)?.currencies.map(({ currency, minMinor, maxMinor, prices: own }) => [
    currency,
    minMinor,
    maxMinor,
    ...own.map(({ asset, multiplier }) => `${asset.layer} ${multiplier.digits}`),
  ]);

describe("a customer", () => {
  it("is found in the order of its currencies, with the price in each asset", () => {
    expect(shown()).toEqual([
      ["EUR", 100n, 1_000_000n, "ln 12500", "bank.example 1"],
      ["USD", 100n, 1_000_000n, "ln 10000", "bank.example 0.8"],
    ]);
    expect(found()?.customer).toBe(facts.customer);
    expect(found()?.assets).toEqual([ln, bank]);
  });

  const freeze = { reason: "COMPLIANCE", note: null, since: asOf } as const;
  const off = { enabledTransactionTypes: ["OUTGOING"] } as const;
  it.each<readonly [string, Partial<LookupFacts>]>([
    ["is not there", { customer: undefined }],
    ["is deleted", { customer: { ...customer, deletedAt: AT } }],
    ...kycStatuses
      .filter((status) => status !== "APPROVED")
      .map((kycStatus) => [`is ${kycStatus}`, { customer: { ...customer, kycStatus } }] as const),
    ["is frozen for all", { customer: { ...customer, frozen: { ...freeze, scope: "ALL" } } }],
    ["has no currency", { customer: { ...customer, currencies: [] } }],
    ["has currencies of others", { customer: { ...customer, currencies: ["GBP"] } }],
    [
      "has none that takes payments",
      { platform: { ...platform, supportedCurrencies: [supported("EUR", off)] } },
    ],
    ["has no asset to be paid in", { assets: [] }],
    ["has no price", { assets: [ln], prices: { ...prices, sources: [] } }],
    ["has an old price", { assets: [ln], prices: { ...prices, at: AT + 3_600_000 } }],
    ["has limits that meet none of the asset", { assets: [{ ...ln, maxMinor: 1_000n }] }],
  ])("who %s is not found", (_what, more) => {
    expect(found(more)).toBeUndefined();
  });

  it("frozen for debits alone is found", () => {
    const frozen = { ...freeze, scope: "DEBITS" } as const;
    expect(shown({ customer: { ...customer, currencies: ["EUR"], frozen } })).toHaveLength(1);
  });

  it("is found without the currencies that take none or have no price", () => {
    const supportedCurrencies = [supported("USD", off), supported("EUR"), supported("GBP")];
    const currencies = ["USD", "GBP", "EUR"];
    const more = { platform: { ...platform, supportedCurrencies } };
    expect(shown({ ...more, customer: { ...customer, currencies } })).toEqual([
      ["EUR", 100n, 1_000_000n, "ln 12500", "bank.example 1"],
    ]);
  });
});

describe("limits", () => {
  const limited = (...assets: readonly Partial<OfferedAsset>[]) =>
    shown({ assets: assets.map((one) => ({ ...ln, ...one })) })?.map(([, min, max]) => [min, max]);

  it("are cut to those of the asset, at its price and within it", () => {
    // 12,500 millisatoshis are a cent of a euro, and 10,000 one of a dollar.
    expect(limited({ minMinor: 2_500_001n, maxMinor: 12_499_999n })).toEqual([
      [201n, 999n],
      [251n, 1_249n],
    ]);
    expect(limited({ minMinor: 1n, maxMinor: 10n ** 15n })).toEqual([
      [100n, 1_000_000n],
      [100n, 1_000_000n],
    ]);
  });

  it("are those of any asset that fits", () => {
    const [small, large] = [{ maxMinor: 12_500_000n }, { layer: "x", minMinor: 125_000_000n }];
    expect(limited(small, large)?.[0]).toEqual([100n, 1_000_000n]);
    expect(limited(small, { ...large, minMinor: 10n ** 12n })?.[0]).toEqual([100n, 1_000n]);
  });
});

it("the fields of payers are those of the currencies that are shown, each once", () => {
  const name = { name: "FULL_NAME", mandatory: false };
  const supportedCurrencies = [
    supported("USD", { requiredCounterpartyFields: [{ ...name, mandatory: true }] }),
    supported("EUR", {
      requiredCounterpartyFields: [name, { name: "TAX_ID", mandatory: false }],
    }),
    supported("GBP", { requiredCounterpartyFields: [{ name: "EMAIL", mandatory: true }] }),
  ];
  const more = {
    platform: { ...platform, supportedCurrencies },
    customer: { ...customer, currencies: ["EUR", "GBP", "USD"] },
  };
  expect(found(more)?.requiredPayerFields).toEqual([
    { name: "FULL_NAME", mandatory: true },
    { name: "TAX_ID", mandatory: false },
  ]);
});
