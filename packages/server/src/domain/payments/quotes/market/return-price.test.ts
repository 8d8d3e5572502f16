/** What is given back of a settled quote, against fractions that are computed here. */
import { expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../../test/kit/decide-alone.ts";
import { PLATFORM, platform, quote } from "../../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newSystemAccount, systemAccount } from "../../../../ledger/chart.ts";
import { platforms } from "../../../platform.ts";
import {
  liveSources,
  type RateSource,
  rateSources,
} from "../../../prices/rate-sources/rate-source.ts";
import type { Quote } from "../quote.ts";
import { priceReturn } from "./return-price.ts";

interface Found {
  readonly quote?: Partial<Quote>;
  readonly kind?: RateSource["kind"];
  readonly fxMinor?: bigint;
}

function priced(cameMinor: bigint, rate: string, found: Found = {}) {
  const priced = { ...quote, ...found.quote };
  const { sendingCurrency, receivingCurrency } = priced;
  const asOf = new Date(DECIDED_AT).toISOString();
  const rates = [{ base: receivingCurrency, quote: sendingCurrency, rate, asOf }];
  const source = {
    ...{ id: "018f0000-0000-7000-8000-0000000000f1", name: "desk", kind: found.kind ?? "FIXED" },
    ...{ rates, pivots: [], priority: 1, maxAgeMinutes: 60, deletedAt: null, createdAt: 1 },
  } as unknown as RateSource;
  const fx = newSystemAccount({ system: "fx", currency: sendingCurrency }, 1);
  const world = worldFor({
    command: {
      needs: () => [
        platforms.ref(PLATFORM),
        liveSources,
        systemAccount("fx", sendingCurrency),
        systemAccount("fx", receivingCurrency),
      ],
    },
    input: undefined,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, { ...platform, environment: "PRODUCTION" }),
      rowsOf(rateSources, source),
      rowsOf(ledgerAccounts, { ...fx, balanceMinor: found.fxMinor ?? 0n }),
    ],
  });
  return priceReturn(world, priced, cameMinor);
}

const yen = { receivingCurrency: "JPY" } as const;

it.each([
  ["rounded down", 999n, "1.25", {}, 1_248n],
  ["exact", 1_000n, "1.25", {}, 1_250n],
  ["more than was sent when the rate has risen", 1_000n, "9", {}, 9_000n],
  ["between currencies with other units", 1_000n, "0.0065", yen, 650n],
] as const)("is what came at the rate: %s", (_what, came, rate, of, expected) => {
  const { sendingCurrency } = quote;
  expect(sendingCurrency).toBe("USD");
  expect(priced(came, rate, { quote: of })).toMatchObject({
    kind: "converted",
    cameMinor: came,
    refundMinor: expected,
  });
});

it("is no more than a payer outside has paid", () => {
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD" } as const;
  const of = { source, sourceAccountId: null, sendingMinor: 1_200n };
  expect(priced(1_000n, "1.25", { quote: of })).toMatchObject({ refundMinor: 1_200n });
  expect(priced(900n, "1.25", { quote: of })).toMatchObject({ refundMinor: 1_125n });
});

it("needs no spread, also of rates that are for information", () => {
  expect(priced(1_000n, "1.25", { kind: "ECB" })).toMatchObject({ refundMinor: 1_250n });
});

it("is nothing that can be given back, or that the books cannot count", () => {
  const tiny = { receivingCurrency: "JPY" };
  expect(priced(1n, "0.0065", { quote: tiny })).toEqual({ kind: "none", reason: "AMOUNT_DIFFERS" });
  const fxMinor = -(2n ** 62n);
  expect(priced(1_000n, "1.25", { fxMinor })).toEqual({ kind: "none", reason: "ACCOUNT_FULL" });
});
