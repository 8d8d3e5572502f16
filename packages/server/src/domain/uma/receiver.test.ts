import { describe, expect, it } from "vitest";
import { customer, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import { present } from "../../std/assert.ts";
import type { RateSource } from "../prices/rate-sources/rate-source.ts";
import { openSources } from "../prices/rates/market-rate.ts";
import { counterparties, findCounterparty } from "./counterparties.ts";
import type { Receiver } from "./receiver.port.ts";
import { estimatedRate, payingCurrency, receiverFacts, receiverOfCustomer } from "./receiver.ts";

const receiver: Receiver = {
  umaAddress: "$a@x.test",
  currencies: [
    { currency: "EUR", minMinor: 1n, maxMinor: 50n },
    { currency: "USD", minMinor: 2n, maxMinor: 60n },
  ],
  requiredPayerFields: [{ name: "FULL_NAME", mandatory: true }],
  counterpartyInformation: { NATIONALITY: "DE" },
  home: { kind: "sandbox", outcome: { kind: "succeeds" } },
};

describe("what a quote needs to know of a receiver", () => {
  it("is given for one of their currencies, the first when none is named", () => {
    const { currencies: _, ...rest } = receiver;
    const euros = { ...rest, currency: "EUR", minMinor: 1n, maxMinor: 50n };
    expect(receiverFacts(receiver)).toEqual(euros);
    expect(receiverFacts(receiver, "EUR")).toEqual(euros);
    expect(receiverFacts(receiver, "USD")).toMatchObject({
      currency: "USD",
      maxMinor: 60n,
    });
  });

  it("is undefined for a currency that they do not accept, or for a receiver who accepts none", () => {
    expect(receiverFacts(receiver, "MXN")).toBeUndefined();
    expect(receiverFacts({ ...receiver, currencies: [] })).toBeUndefined();
  });
});

describe("an estimated rate", () => {
  it("is receiving units for a sending unit, the other way round than a quote's", () => {
    expect(estimatedRate("USD", "EUR", undefined)).toBe(0.92);
    expect(estimatedRate("USD", "MXN", undefined)).toBe(17.25);
    expect(estimatedRate("USD", "BTC", undefined)).toBe(0.00000833);
    expect(estimatedRate("USD", "USD", undefined)).toBe(1);
  });

  it("is above zero from the cheapest currency into the dearest, and absent without a price", () => {
    expect(present(estimatedRate("VND", "BTC", undefined), "a rate")).toBeGreaterThan(0);
    expect(estimatedRate("USD", "ISK", undefined)).toBeUndefined();
  });

  it("is in production that of a source with its spread, and absent without one", () => {
    const none = { sources: [], spreads: [], at: 0 };
    expect(estimatedRate("USD", "EUR", none)).toBeUndefined();
    expect(estimatedRate("USD", "USD", none)).toBe(1);
    const rates = [{ base: "EUR", quote: "USD", rate: "1.25", asOf: "1970-01-01T00:00:00Z" }];
    const sources = openSources([{ ...source, rates }]);
    const market = (bps: number, at = 0) => ({
      sources,
      spreads: bps === 0 ? [] : [{ from: "*", to: "*", bps }],
      at,
    });
    expect(estimatedRate("USD", "EUR", market(0))).toBe(0.8);
    expect(estimatedRate("USD", "EUR", market(10_000))).toBe(0.4);
    expect(estimatedRate("USD", "EUR", market(0, 60_000))).toBe(0.8);
    expect(estimatedRate("USD", "EUR", market(0, 60_001))).toBeUndefined();
  });
});

const source: RateSource = {
  id: "018f0000-0000-7000-8000-0000000000b1",
  name: "desk",
  kind: "FIXED",
  priority: 100,
  pivots: [],
  maxAgeMinutes: 1,
  lockMinutes: 5,
  maxMovePercent: null,
  settings: {},
  sealId: "",
  headersSealed: null,
  headerFacts: {},
  rates: [],
  refused: [],
  asOf: 0,
  readAt: 0,
  lastError: null,
  staleSince: null,
  refreshJobId: null,
  staleJobId: null,
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
};

describe("the counterparties of the sandbox", () => {
  it.each([
    ["success.usd", "USD", { kind: "succeeds" }],
    ["success.eur", "EUR", { kind: "succeeds" }],
    ["success.mxn", "MXN", { kind: "succeeds" }],
    ["pending.long.usd", "USD", { kind: "succeeds-late", seconds: 360 }],
    ["fail.compliance.usd", "USD", { kind: "fails", failureReason: "QUOTE_EXECUTION_FAILED" }],
  ])("are known by their address: %s", (name, currency, outcome) => {
    expect(findCounterparty(`$${name}@s.test`, "s.test")).toMatchObject({ currency, outcome });
    expect(findCounterparty(`$${name}@other.test`, "s.test")).toBeUndefined();
    expect(findCounterparty(`$${name}@s.test`, null)).toBeUndefined();
  });

  it("are these five", () => {
    expect(counterparties).toHaveLength(5);
    expect(findCounterparty("$non.existent.usd@s.test", "s.test")).toBeUndefined();
  });
});

describe("a customer who can be paid", () => {
  const [usd, eur] = platform.supportedCurrencies;
  if (usd === undefined || eur === undefined) throw new Error("no currencies");
  const requiring = (name: string, mandatory: boolean) => [{ name, mandatory }];

  it("receives its own currencies enabled for INCOMING, and requires from the payer the fields of all of them", () => {
    const supportedCurrencies = [
      { ...usd, minAmount: 0, requiredCounterpartyFields: requiring("EMAIL", true) },
      { ...eur, requiredCounterpartyFields: requiring("EMAIL", false) },
      { ...usd, currencyCode: "MXN", requiredCounterpartyFields: requiring("TAX_ID", true) },
      { ...usd, currencyCode: "USDB", enabledTransactionTypes: ["OUTGOING"] as const },
    ];
    expect(receiverOfCustomer({ ...platform, supportedCurrencies }, customer)).toEqual({
      umaAddress: customer.umaAddress,
      currencies: [
        { currency: "USD", minMinor: 1n, maxMinor: 1_000_000n },
        { currency: "EUR", minMinor: 1n, maxMinor: 1_000_000n },
      ],
      requiredPayerFields: requiring("EMAIL", true),
      counterpartyInformation: {},
      home: { kind: "customer", platformId: PLATFORM, customerId: customer.id },
    });
  });

  it("cannot be paid while it is not ready or receives no currency", () => {
    expect(receiverOfCustomer(platform, { ...customer, kycStatus: "PENDING" })).toBeUndefined();
    expect(receiverOfCustomer(platform, { ...customer, deletedAt: 1 })).toBeUndefined();
    expect(receiverOfCustomer(platform, { ...customer, currencies: ["MXN"] })).toBeUndefined();
  });

  it("would pay in the platform's first currency that is enabled for OUTGOING and that it has", () => {
    const supportedCurrencies = [{ ...usd, enabledTransactionTypes: ["INCOMING"] as const }, eur];
    const paying = { ...platform, supportedCurrencies };
    expect(payingCurrency(platform, { ...customer, currencies: ["EUR"] })).toBe("EUR");
    expect(payingCurrency(platform, customer)).toBe("USD");
    expect(payingCurrency(paying, undefined)).toBe("EUR");
    expect(payingCurrency(paying, { ...customer, currencies: ["USD"] })).toBeUndefined();
  });
});
