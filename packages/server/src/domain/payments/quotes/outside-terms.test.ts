/** What a quote by an invoice pays, exchanges and shows. */
import { describe, expect, it } from "vitest";
import { ratio } from "../../../money/ratio.ts";
import { corridorWithin } from "../../prices/rates/corridor.ts";
import {
  exchangeOf,
  lifeOfTerms,
  type OutsideTerms,
  ofOutside,
  payoutCurrency,
  payoutOf,
  type QuoteSettlement,
} from "./outside-terms.ts";

const settlement: QuoteSettlement = {
  layer: "ln",
  identifier: "BTC",
  currency: "MSAT",
  minor: "10100000",
  invoice: "lnbc1",
  payBy: "2026-11-29T12:00:00.000Z",
  lapsesAt: 0,
  connectionId: "019a4f00-0000-7000-8000-000000000021",
  vaspDomain: "vasp.example",
  umaVersion: "1.0",
  multiplier: "1e4",
  unitsPerMinor: "10000/1",
  fee: "100000",
  perUnit: "1/12500",
  receiverKyc: "VERIFIED",
  isSubjectToTravelRule: false,
  fieldsSent: [],
  fieldsReceived: [],
};

const quote = {
  sendingCurrency: "USD",
  receivingCurrency: "EUR",
  convertedMinor: 808n,
  receivingMinor: 1_000n,
  counterpartyFeeMinor: 10n,
};

describe("a quote by an invoice", () => {
  const outside = { ...quote, settlement };
  it("pays the invoice, and exchanges for it", () => {
    expect(payoutOf(outside)).toEqual({ currency: "MSAT", minor: 10_100_000n });
    expect(payoutCurrency(outside)).toBe("MSAT");
    expect(exchangeOf(outside)).toEqual({
      sendingCurrency: "USD",
      receivingCurrency: "MSAT",
      convertedMinor: 808n,
      receivingMinor: 10_100_000n,
    });
  });

  it("shows the fees of both sides in the payer's currency, and the rate without them", () => {
    const corridor = {
      ...corridorWithin("USD"),
      receivingCurrency: "MSAT",
      smallestUnitRate: ratio(1n, 12_500n),
    };
    const terms: OutsideTerms = {
      corridor,
      price: null,
      lockMs: 0,
      settlement,
      receivingMinor: 1_000n,
      counterpartyFeeMinor: 10n,
      leftMs: 0,
    };
    const price = {
      sendingMinor: 838n,
      receivingMinor: 10_100_000n,
      feesMinor: 30n,
      fixedFeeMinor: 30n,
      variableFeeMinor: 0n,
      convertedMinor: 808n,
      dustMinor: 0n,
    };
    // 100,000 millisatoshis are 8 cents; 800 cents are 10 euros.
    expect(ofOutside(price, terms, "EUR")).toEqual({
      receivingMinor: 1_000n,
      counterpartyFeeMinor: 10n,
      feesMinor: 38n,
      rate: ratio(4n, 5n),
    });
  });

  it("ends 15 seconds before its invoice, and with its rate", () => {
    expect(lifeOfTerms({ leftMs: 60_000, lockMs: 120_000 } as OutsideTerms)).toBe(45_000);
    expect(lifeOfTerms({ leftMs: 600_000, lockMs: 120_000 } as OutsideTerms)).toBe(120_000);
  });
});

it("any other quote pays what arrives, with the fee of the payee's side", () => {
  const usual = { ...quote, settlement: null };
  expect(payoutOf(usual)).toEqual({ currency: "EUR", minor: 1_010n });
  expect(payoutCurrency(usual)).toBe("EUR");
  expect(exchangeOf(usual)).toBe(usual);
});
