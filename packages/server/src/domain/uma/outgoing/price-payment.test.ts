/** What a payment to another institution asks for, against figures that were computed by hand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratio } from "../../../money/ratio.ts";
import { type FeeRule, NO_RULES } from "../../prices/price-rules/price-rules.ts";
import type { RateSource } from "../../prices/rate-sources/rate-source.ts";
import { openSources } from "../../prices/rates/market-rate.ts";
import { priceOf } from "../../prices/rates/pricing.ts";
import type { LookedUp } from "../lookups/looked-up.ts";
import { type PayerFacts, type PricedPayment, pricePayment } from "./price-payment.ts";

const AT = Date.UTC(2026, 10, 29);
const [ONE, OTHER] = [
  "019a4f00-0000-7000-8000-000000000021",
  "019a4f00-0000-7000-8000-000000000022",
];

function sourcesOf(...rates: readonly (readonly [base: string, rate: string])[]) {
  const asOf = new Date(AT - 60_000).toISOString();
  const source = {
    id: ONE,
    name: "desk",
    kind: "FIXED",
    priority: 1,
    pivots: [],
    maxAgeMinutes: 60,
    lockMinutes: 2,
    rates: rates.map(([base, rate]) => ({ base, quote: "USD", rate, asOf })),
  };
  return openSources([source as unknown as RateSource]);
}

const lightning = { layer: "ln", identifier: "BTC", currency: "MSAT", connectionId: ONE };
const bank = { layer: "bank.example", identifier: "USD", currency: "USD", connectionId: OTHER };

const currency = (code: string, multiplier = ratio(10_000n, 1n)) => ({
  code,
  decimals: 2,
  multiplier: { value: multiplier },
  min: 1n,
  max: 1_000_000n,
});

const answer: LookedUp = {
  callback: "https://vasp.example/pay",
  minSendable: 1n,
  maxSendable: 10n ** 15n,
  currencies: [currency("EUR"), currency("MXN", ratio(700n, 1n))],
  payerData: new Map(),
  settlementOptions: undefined,
  compliance: { kycStatus: "VERIFIED", isSubjectToTravelRule: true },
};

const facts: PayerFacts = {
  sendingCurrency: "USD",
  locked: { side: "RECEIVING", minor: 1_000n },
  wanted: undefined,
  ownAssets: [lightning],
  layers: [],
  sources: sourcesOf(["BTC", "80000"]),
  rules: NO_RULES,
  at: AT,
};

function priced(more: Partial<PayerFacts> = {}, of: LookedUp = answer): PricedPayment {
  const price = pricePayment(of, { ...facts, ...more });
  if (price.kind !== "priced") throw new Error(price.kind);
  return price;
}

const feeOf = (more: Partial<FeeRule>): FeeRule => ({
  from: "USD",
  to: "*",
  accountType: "UMA_ADDRESS",
  paymentRail: null,
  fixed: "0",
  bps: 0,
  least: null,
  most: null,
  ...more,
});

describe("a payment", () => {
  it("of what arrives asks for that, in the receiver's first currency", () => {
    expect(priced()).toMatchObject({
      receivable: { currency: "EUR", minMinor: 1n, maxMinor: 1_000_000n },
      asset: { layer: "ln", identifier: "BTC", multiplier: ratio(10_000n, 1n) },
      connectionId: ONE,
      asked: { units: 1_000n, currency: "EUR" },
      estimate: { invoiceMinor: 10_000_000n, receivingMinor: 1_000n },
      lockMs: 120_000,
    });
  });

  it("in a currency that is named asks in that one", () => {
    expect(priced({ wanted: "MXN" })).toMatchObject({
      asked: { units: 1_000n, currency: "MXN" },
      estimate: { invoiceMinor: 700_000n },
    });
  });

  it("of what is sent asks for the units that it buys after the fee, rounded down", () => {
    const locked = { side: "SENDING", minor: 1_000n } as const;
    // A cent is 12,500 millisatoshis.
    expect(priced({ locked })).toMatchObject({
      asked: { units: 12_500_000n, currency: undefined },
      estimate: { invoiceMinor: 12_500_000n, receivingMinor: 1_250n },
    });
    const rules = { ...NO_RULES, fees: [feeOf({ fixed: "30", bps: 100 })] };
    // 30 and a hundredth of 970, 10: 960 are left.
    expect(priced({ locked, rules })).toMatchObject({
      asked: { units: 12_000_000n, currency: undefined },
      estimate: { invoiceMinor: 12_000_000n, receivingMinor: 1_200n },
    });
    // Nothing is left; the command refuses it.
    const all = { ...NO_RULES, fees: [feeOf({ fixed: "1000" })] };
    expect(priced({ locked, rules: all }).asked).toEqual({ units: 0n, currency: undefined });
  });

  it("is worse by the spread, and its record says of which", () => {
    const spreads = [{ from: "*", to: "*", bps: 100 }];
    const rules = { ...NO_RULES, spreads, spreadsVersion: 7 };
    const { corridor, price } = priced({ rules });
    expect(corridor).toMatchObject({
      sendingCurrency: "USD",
      receivingCurrency: "MSAT",
      // A millisatoshi costs 101/100 of 1/12,500 of a cent.
      smallestUnitRate: ratio(101n, 1_250_000n),
      rate: ratio(101n, 125_000_000n),
    });
    expect(price).toMatchObject({ sourceName: "desk", spreadBps: 100, spreadsVersion: 7 });
  });

  it("in the payer's own money is not exchanged", () => {
    const settlementOptions = [
      { layer: "ln", assets: [{ identifier: "BTC", multipliers: new Map() }] },
      {
        layer: "bank.example",
        assets: [{ identifier: "USD", multipliers: new Map([["EUR", { value: ratio(5n, 4n) }]]) }],
      },
    ];
    const ownAssets = [lightning, bank];
    expect(priced({ ownAssets }, { ...answer, settlementOptions })).toMatchObject({
      asset: { layer: "bank.example" },
      connectionId: OTHER,
      price: null,
      lockMs: undefined,
      estimate: { invoiceMinor: 1_250n },
    });
  });

  it.each<[string, Partial<PayerFacts>, object]>([
    [
      "without an asset in common",
      { ownAssets: [bank] },
      { kind: "missing", missing: "SETTLEMENT" },
    ],
    ["without a rate", { sources: sourcesOf() }, { kind: "missing", missing: "RATE" }],
    ["with an old rate", { at: AT + 3_600_000 }, { kind: "missing", missing: "RATE" }],
    [
      "in a currency that is not taken",
      { wanted: "USD" },
      { kind: "other-currency", supported: ["EUR", "MXN"] },
    ],
  ])("has no price %s", (_what, more, told) => {
    expect(pricePayment(answer, { ...facts, ...more })).toEqual(told);
  });
});

it("what is asked for a sent amount is what the amount pays, at any rate and fee", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.record({
        fixed: fc.integer({ min: 0, max: 1_000 }).map(String),
        bps: fc.integer({ min: 0, max: 500 }),
      }),
      (minor, rate, fee) => {
        const { asked, corridor } = priced({
          locked: { side: "SENDING", minor },
          sources: sourcesOf(["BTC", (rate / 100).toFixed(2)]),
          rules: { ...NO_RULES, fees: [feeOf(fee)] },
        });
        const price = priceOf(corridor, { side: "SENDING", minor });
        expect(asked.units).toBe(price?.receivingMinor ?? 0n);
      },
    ),
  );
});
