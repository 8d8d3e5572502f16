/** Which returns are taken: at the bounds of the amount and of the days, told by a rail and by a person. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM, platform, quote, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { Environment } from "../../platform.ts";
import { platforms } from "../../platform.ts";
import {
  liveSources,
  type RateSource,
  rateSources,
} from "../../prices/rate-sources/rate-source.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { returnObstacle, type ToldReturn } from "./return-rule.ts";

/** A Monday; the 7th of December is ten weekdays later. */
const SETTLED_ON = "2026-11-23";
const AMOUNT = 1_001n;

interface Found {
  readonly payment?: Partial<RailPayment>;
  readonly connection?: Partial<RailConnection>;
  readonly transaction?: Partial<Transaction>;
  readonly environment?: Environment;
  readonly rates?: RateSource["rates"];
}

function obstacle(told: Partial<ToldReturn>, found: Found = {}) {
  const { environment = "PRODUCTION", rates = [] } = found;
  const payment: RailPayment = {
    ...queuedOrder,
    state: "SETTLED",
    settledOn: SETTLED_ON,
    amountMinor: AMOUNT,
    ...found.payment,
  };
  const transaction = { ...quoteTransaction, quoteId: null, status: "COMPLETED" } as const;
  const source = {
    ...{ id: "018f0000-0000-7000-8000-0000000000f1", name: "desk", kind: "FIXED", rates },
    ...{ pivots: [], priority: 1, maxAgeMinutes: 60, deletedAt: null, asOf: null, createdAt: 1 },
  } as unknown as RateSource;
  const needs = () => [
    platforms.ref(PLATFORM),
    railConnections.ref(connection.id),
    transactions.ref(quoteTransaction.id),
    quotes.ref(quote.id),
    liveSources,
    systemAccount("fx", quote.sendingCurrency),
    systemAccount("fx", quote.receivingCurrency),
  ];
  const world = worldFor({
    command: { needs },
    input: undefined,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, { ...platform, environment }),
      rowsOf(railConnections, { ...connection, ...found.connection }),
      rowsOf(transactions, { ...transaction, ...found.transaction }),
      rowsOf(quotes, { ...quote, receivingMinor: AMOUNT }),
      rowsOf(railPayments, payment),
      rowsOf(rateSources, source),
    ],
  });
  return returnObstacle(world, payment, { amountMinor: AMOUNT, bookedOn: SETTLED_ON, ...told });
}

describe("a return of a settled payout", () => {
  it.each([
    [0n, "AMOUNT_DIFFERS"],
    [1n, "AMOUNT_DIFFERS"],
    // Nine tenths of 1,001 are 900.9.
    [900n, "AMOUNT_DIFFERS"],
    [901n, undefined],
    [1_000n, undefined],
    [AMOUNT, undefined],
    [AMOUNT + 1n, "AMOUNT_DIFFERS"],
  ] as const)("with %s of 1,001: %s", (amountMinor, expected) => {
    expect(obstacle({ amountMinor })).toBe(expected);
  });

  it("may be of any amount and day when a person says so, but not of more", () => {
    const bookedOn = undefined;
    expect(obstacle({ amountMinor: 1n, bookedOn })).toBeUndefined();
    expect(obstacle({ amountMinor: AMOUNT + 1n, bookedOn })).toBe("AMOUNT_DIFFERS");
  });

  it.each([
    ["2026-12-07", undefined, undefined],
    ["2026-12-08", undefined, "LATE"],
    ["2026-11-23", 0, undefined],
    ["2026-11-24", 0, "LATE"],
    ["2026-11-30", 5, undefined],
    ["2026-12-01", 5, "LATE"],
  ] as const)("booked on %s, with %s days: %s", (bookedOn, returnDays, expected) => {
    const control = { ...connection.control, ...(returnDays === undefined ? {} : { returnDays }) };
    expect(obstacle({ bookedOn }, { connection: { control } })).toBe(expected);
  });

  it("counts the banking days of its connection", () => {
    const calendar = { timeZone: "UTC", holidays: ["2026-11-26"] };
    expect(obstacle({ bookedOn: "2026-12-08" }, { connection: { calendar } })).toBeUndefined();
    expect(obstacle({ bookedOn: "2026-12-09" }, { connection: { calendar } })).toBe("LATE");
  });
});

describe("a return of any other order", () => {
  it.each([
    ["a payout that has not settled", { state: "SENT" }],
    ["money that went back", { direction: "BACK" }],
    ["a collection", { direction: "PULL", state: "SENT" }],
  ] as const)("of %s is whole", (_what, payment) => {
    expect(obstacle({}, { payment })).toBeUndefined();
    expect(obstacle({ amountMinor: AMOUNT - 1n }, { payment })).toBe("AMOUNT_DIFFERS");
  });

  it("is not judged where the order cannot come back", () => {
    for (const state of ["DECLINED", "CANCELLED", "RETURNED", "HELD"] as const) {
      expect(obstacle({ amountMinor: 1n }, { payment: { state } })).toBeUndefined();
    }
  });

  it("of a collection waits for a person once some of it was given back", () => {
    const outcome = { refundedMinor: "1", refundPendingMinor: "0" };
    const transaction = { type: "INCOMING", outcome } as const;
    const found = { payment: { direction: "PULL" }, transaction } as const;
    expect(obstacle({}, found)).toBe("COLLECTION_RETURNED");
    expect(obstacle({}, { payment: { direction: "PULL" } })).toBeUndefined();
  });
});

describe("a return of a quote", () => {
  const transaction = { quoteId: quote.id };
  const at = (ms: number) => new Date(DECIDED_AT - ms).toISOString();
  const rates = (asOf: string) => [
    { base: quote.receivingCurrency, quote: quote.sendingCurrency, rate: "1.25", asOf },
  ];

  it.each([
    ["a young rate", rates(at(3_600_000)), undefined],
    ["a rate that is a millisecond too old", rates(at(3_600_001)), "NO_RATE"],
    ["no rate", [], "NO_RATE"],
  ] as const)("with %s", (_what, young, expected) => {
    for (const bookedOn of [SETTLED_ON, undefined]) {
      expect(obstacle({ bookedOn }, { transaction, rates: young })).toBe(expected);
    }
  });

  it("is whole in a sandbox, and undoes its exchange", () => {
    const found = { transaction, environment: "SANDBOX" } as const;
    expect(obstacle({}, found)).toBeUndefined();
    expect(obstacle({ amountMinor: AMOUNT - 1n }, found)).toBe("AMOUNT_DIFFERS");
  });
});
