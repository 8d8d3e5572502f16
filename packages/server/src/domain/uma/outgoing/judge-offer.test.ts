/** What is refused of an offer, each reason alone, at its bounds, and which of two comes first. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Multiplier, ratio, scale } from "../../../money/ratio.ts";
import { type AskedPayment, judgeOffer, type ReadInvoice } from "./judge-offer.ts";
import type { PayOffer } from "./pay-request.port.ts";

const NOW = Date.UTC(2026, 10, 29);

function multiplier(numerator: bigint, denominator = 1n): Multiplier {
  return { value: ratio(numerator, denominator), digits: "" };
}

const asked: AskedPayment = {
  currency: {
    code: "EUR",
    decimals: 2,
    multiplier: { value: ratio(10_000n, 1n) },
    min: 1n,
    max: 1_000_000n,
  },
  asset: { layer: "ln", identifier: "BTC", currency: "MSAT", multiplier: ratio(10_000n, 1n) },
  asked: { units: 1_000n, currency: "EUR" },
  payeeData: new Map([
    ["name", true],
    ["email", false],
    ["compliance", true],
    ["identifier", true],
  ]),
  now: NOW,
};

const converted: PayOffer["converted"] = {
  amount: 1_000n,
  currencyCode: "EUR",
  decimals: 2,
  multiplier: multiplier(10_000n),
  fee: 0n,
};

const invoice: ReadInvoice = {
  layer: "ln",
  identifier: "BTC",
  amountMinor: 10_000_000n,
  expiresAt: NOW + 60_000,
};

interface Wrong {
  readonly converted?: Partial<PayOffer["converted"]>;
  readonly fields?: Readonly<Record<string, string>>;
  readonly invoice?: Partial<ReadInvoice> | "none";
  readonly asked?: Partial<AskedPayment>;
}

function judged(wrong: Wrong = {}) {
  const { fields = { name: "Bob" } } = wrong;
  const offer: PayOffer = {
    invoice: "lnbc1",
    converted: { ...converted, ...wrong.converted },
    payeeFields: new Map(Object.entries(fields)),
  };
  const read = wrong.invoice === "none" ? "none" : { ...invoice, ...wrong.invoice };
  const sound = judgeOffer(offer, { ...asked, ...wrong.asked }, read);
  return "fault" in sound ? sound.fault : sound;
}

const inUnits = { asked: { units: 10_000_000n, currency: undefined } };

describe("an offer", () => {
  it("that is sound says what is paid, and until when", () => {
    expect(judged()).toEqual({
      invoiceMinor: 10_000_000n,
      counterpartyFeeMinor: 0n,
      payBy: NOW + 60_000,
      leftMs: 60_000,
    });
  });

  it.each([
    [10_000n, 1n],
    [10_001n, 2n],
    [1n, 1n],
  ])("with a fee of %i units shows it as %i of the currency, rounded up", (fee, shown) => {
    const amountMinor = 10_000_000n + fee;
    expect(judged({ converted: { fee }, invoice: { amountMinor } })).toMatchObject({
      counterpartyFeeMinor: shown,
    });
  });

  it.each<[string, Wrong]>([
    ["CURRENCY", { converted: { currencyCode: "USD" } }],
    ["CURRENCY", { converted: { currencyCode: "eur" } }],
    ["CURRENCY", { converted: { decimals: 0 } }],
    ["LAYER", { invoice: "none" }],
    ["LAYER", { invoice: { layer: "spark" } }],
    ["LAYER", { invoice: { identifier: "USDB" } }],
    ["AMOUNT", { invoice: { amountMinor: null } }],
    ["AMOUNT", { invoice: { amountMinor: 0n }, converted: { amount: 0n } }],
    ["AMOUNT", { converted: { amount: 1_001n } }],
    ["AMOUNT", { asked: inUnits, invoice: { amountMinor: 10_000_001n } }],
    ["ARITHMETIC", { invoice: { amountMinor: 10_000_002n } }],
    ["ARITHMETIC", { invoice: { amountMinor: 9_999_998n } }],
    ["ARITHMETIC", { asked: inUnits, converted: { amount: 1_002n } }],
    ["ARITHMETIC", { asked: inUnits, converted: { amount: 998n } }],
    ["ARITHMETIC", { converted: { fee: 2n } }],
    [
      "PRICE",
      { converted: { multiplier: multiplier(11_001n) }, invoice: { amountMinor: 11_001_000n } },
    ],
    [
      "PRICE",
      { converted: { multiplier: multiplier(8_999n) }, invoice: { amountMinor: 8_999_000n } },
    ],
    ["PRICE", { converted: { fee: 1_111_112n }, invoice: { amountMinor: 11_111_112n } }],
    ["PAYEE_DATA", { fields: {} }],
    ["PAYEE_DATA", { fields: { name: " " } }],
    ["ENDS_SOON", { invoice: { expiresAt: NOW + 44_999 } }],
    ["ENDS_SOON", { invoice: { expiresAt: NOW - 1 } }],
  ])("is refused for %s (%#)", (fault, wrong) => {
    expect(judged(wrong)).toBe(fault);
  });

  it.each<[string, Wrong]>([
    ["a unit more", { invoice: { amountMinor: 10_000_001n } }],
    ["a unit less", { invoice: { amountMinor: 9_999_999n } }],
    [
      "a part in a thousand million more",
      {
        converted: { amount: 10n ** 9n },
        asked: { asked: { units: 10n ** 9n, currency: "EUR" } },
        invoice: { amountMinor: 10n ** 13n + 10n ** 4n },
      },
    ],
    ["an amount that was rounded up", { asked: inUnits, converted: { amount: 1_001n } }],
    ["an amount that was rounded down", { asked: inUnits, converted: { amount: 999n } }],
    [
      "a tenth dearer",
      { converted: { multiplier: multiplier(11_000n) }, invoice: { amountMinor: 11_000_000n } },
    ],
    [
      "a tenth cheaper",
      { converted: { multiplier: multiplier(9_000n) }, invoice: { amountMinor: 9_000_000n } },
    ],
    ["a fee of a tenth", { converted: { fee: 1_111_111n }, invoice: { amountMinor: 11_111_111n } }],
    ["no optional field", { fields: { name: "Bob" } }],
    ["45 seconds left", { invoice: { expiresAt: NOW + 45_000 } }],
  ])("is taken with %s", (_what, wrong) => {
    expect(judged(wrong)).toHaveProperty("invoiceMinor");
  });

  it("is refused for the first reason of the list", () => {
    const wrongs: readonly [string, Wrong][] = [
      ["CURRENCY", { converted: { currencyCode: "USD" } }],
      ["AMOUNT", { converted: { amount: 7n } }],
      ["ARITHMETIC", { invoice: { amountMinor: 12_345n } }],
      ["PRICE", { converted: { fee: 5_000_000n } }],
      ["PAYEE_DATA", { fields: {} }],
      ["LAYER", { invoice: { layer: "spark" } }],
      ["ENDS_SOON", { invoice: { expiresAt: NOW } }],
    ];
    for (const [place, [fault]] of wrongs.entries()) {
      const all = wrongs.slice(place).map(([, wrong]) => wrong);
      const together: Wrong = {
        ...Object.assign({}, ...all.toReversed()),
        converted: Object.assign({}, ...all.map((wrong) => wrong.converted)),
        invoice: Object.assign({}, ...all.map((wrong) => wrong.invoice)),
      };
      // A fee that is alone does not add up, so PRICE comes with a fitting invoice.
      const fits = fault === "PRICE" ? { amountMinor: 15_000_000n } : {};
      const read = { ...(together.invoice as object), ...fits };
      const { converted: told = {} } = together;
      expect(judged({ ...together, converted: told, invoice: read })).toBe(fault);
    }
  });

  it("adds up for every price of an institution that rounds once", () => {
    const parts = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(parts, parts, fc.bigInt({ min: 1n, max: 10n ** 9n }), (a, b, units) => {
        const value = ratio(a, b);
        const amountMinor = scale(units, value, "up");
        const found = judged({
          asked: {
            asset: { ...asked.asset, multiplier: value },
            asked: { units, currency: "EUR" },
          },
          converted: { amount: units, multiplier: { value, digits: "" } },
          invoice: { amountMinor },
        });
        expect(found).toHaveProperty("invoiceMinor");
      }),
    );
  });
});
