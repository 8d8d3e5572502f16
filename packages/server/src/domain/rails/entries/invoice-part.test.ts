/** Money for an invoice that a person credits: what it buys at each price, where it goes, and the order of the refusals. */
import { describe, expect, it } from "vitest";
import { entry, item as held } from "../../../../test/kit/carried-orders.ts";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { inOrder, named } from "../../../../test/kit/decided.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { customer, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import { INVOICE, invoice, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  accountNamed,
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
  type SystemAccountName,
} from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { fxPositions, positionId } from "../../prices/fx-positions/fx-position.ts";
import { priceRules } from "../../prices/price-rules/price-rules.ts";
import { type RateSource, rateSources } from "../../prices/rate-sources/rate-source.ts";
import { type UmaInvoice, umaInvoices } from "../../uma/incoming/uma-invoice.ts";
import { railEntries } from "./rail-entry.ts";
import { type RailItem, railItems } from "./rail-item.ts";
import { type Part, resolveRailItem } from "./resolve-rail-item.ts";

const ABSENT = "018f0000-0000-7000-8000-0000000000d9";
const asOf = new Date(DECIDED_AT - 60_000).toISOString();
/** Today a euro is 1.60 dollars; the invoice was priced at 1.25. */
const source = {
  ...{ id: "018f0000-0000-7000-8000-0000000000f1", name: "desk", kind: "FIXED" },
  ...{ pivots: [], priority: 1, maxAgeMinutes: 60, deletedAt: null, createdAt: 1 },
  rates: [{ base: "EUR", quote: "USD", rate: "1.6", asOf }],
} as unknown as RateSource;
const rules = {
  id: PLATFORM,
  ...{ spreads: [], spreadsVersion: 3, feesVersion: 7, updatedAt: DECIDED_AT },
  fees: [
    ...[{ from: "EUR", to: "USD", accountType: "UMA_ADDRESS", paymentRail: null }].map((pair) => ({
      ...pair,
      ...{ fixed: "10", bps: 0, least: null, most: null },
    })),
  ],
};

interface State {
  readonly minor?: bigint;
  readonly parts?: readonly Part[];
  readonly price?: "QUOTED" | "CURRENT";
  readonly invoiceId?: string;
  readonly item?: Partial<RailItem>;
  readonly invoice?: Partial<UmaInvoice>;
  readonly account?: Partial<InternalAccount>;
  readonly customer?: Partial<Customer>;
  readonly isOld?: boolean;
  readonly isFull?: boolean;
  readonly maxLong?: bigint;
  readonly noRoom?: boolean;
}

function resolved(state: State) {
  const minor = state.minor ?? 510n;
  const item: RailItem = {
    ...{ ...held, state: "OPEN", resolvedAt: null, currency: "EUR", amountMinor: minor },
    ...{ reason: "LATE", ...state.item },
  };
  const currency = item.currency;
  const full = newSystemAccount({ system: "fees", currency: "EUR" }, DECIDED_AT);
  const suspense = { system: "suspense", currency, connectionId: connection.id } as const;
  const own = newInternalLedgerAccount(internal.id, state.account?.currency ?? "USD", DECIDED_AT);
  const position = { ...{ id: positionId("EUR"), currency: "EUR", committedMinor: 0n } };
  const rows = new DecidedRows(PLATFORM, [
    ...invoiceTables({ invoice: { state: "CLOSED", endedAs: "EXPIRED", ...state.invoice } }),
    rowsOf(railItems, item),
    rowsOf(railEntries, { ...entry, currency, amountMinor: item.amountMinor }),
    rowsOf(rateSources, state.isOld === true ? { ...source, maxAgeMinutes: 0 } : source),
    rowsOf(priceRules, rules),
    rowsOf(internalAccounts, { ...internal, ...state.account }),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(fxPositions, {
      ...{ ...position, maxLong: state.maxLong ?? null, maxShort: null, updatedAt: DECIDED_AT },
    }),
    rowsOf(
      ledgerAccounts,
      { ...own, balanceMinor: state.isFull === true ? MAX_AMOUNT_MINOR : 0n },
      { ...newSystemAccount(suspense, DECIDED_AT), balanceMinor: item.amountMinor },
      ...(state.noRoom === true ? [{ ...full, balanceMinor: INT8_MAX / 2n }] : []),
    ),
  ]);
  const { price = "QUOTED", invoiceId = INVOICE } = state;
  const parts = state.parts ?? [{ kind: "INVOICE", minor, invoiceId, price } as const];
  const input = { itemId: item.id, parts, note: "n" };
  const actor = { kind: "token", id: "t", people: [] } as const;
  const output = rows.run(resolveRailItem, input, { actor, at: DECIDED_AT });
  const balance = (name: SystemAccountName) =>
    rows.all(ledgerAccounts).find(({ id }) => id === accountNamed(name).id)?.balanceMinor ?? 0n;
  const credited = rows.all(ledgerAccounts).find(({ id }) => id === internal.id)?.balanceMinor;
  return {
    refusal: output instanceof Refusal ? output : undefined,
    rows,
    item: rows.all(railItems)[0],
    made: rows.all(transactions).filter(({ id }) => id !== INVOICE),
    moved: {
      suspense: balance(suspense),
      fees: balance({ system: "fees", currency: "EUR" }),
      fx: [balance({ system: "fx", currency: "EUR" }), balance({ system: "fx", currency: "USD" })],
      credited,
    },
  };
}

const answer = (state: State) => named(resolved(state).refusal, "reason", "rule", "pair", "field");

describe("money for an invoice that a person credits", () => {
  it("is a payment of its own from the payer of the invoice", () => {
    const { made, item, rows, moved } = resolved({});
    expect(moved).toEqual({ suspense: 0n, fees: 10n, fx: [500n, -625n], credited: 625n });
    expect(made).toMatchObject([
      {
        type: "INCOMING",
        status: "COMPLETED",
        customerId: customer.id,
        source: { type: "UMA_ADDRESS", umaAddress: "$payer@vasp.test" },
        destination: { type: "UMA_ADDRESS", umaAddress: customer.umaAddress },
        receivedMinor: 625n,
        receivedCurrency: "USD",
        details: {
          paymentRail: "UMA",
          invoiceId: `UmaInvoice:${INVOICE}`,
          railEntryId: `RailEntry:${entry.id}`,
        },
      },
    ]);
    expect(item?.resolution?.parts).toEqual([
      {
        kind: "INVOICE",
        invoiceId: `UmaInvoice:${INVOICE}`,
        price: "QUOTED",
        transactionId: `Transaction:${made[0]?.id}`,
        minor: "510",
        receivedMinor: "625",
        feeMinor: "10",
        multiplier: "0.8",
      },
    ]);
    expect(rows.all(umaInvoices)).toMatchObject([{ state: "CLOSED", entryId: null }]);
    expect(rows.all(transactions).find(({ id }) => id === INVOICE)?.status).toBe("PENDING");
  });

  it.each<readonly [what: string, price: "QUOTED" | "CURRENT", minor: bigint, moved: object]>([
    // The amount of the invoice buys what the invoice would have credited.
    ["all", "QUOTED", 1_020n, { fees: 20n, fx: [1_000n, -1_250n], credited: 1_250n }],
    // 7 × 1,250 ÷ 1,020 is 8.58: 8, which is 6.4 of the asset.
    ["few", "QUOTED", 7n, { fees: 0n, fx: [7n, -8n], credited: 8n }],
    ["more", "QUOTED", 2_040n, { fees: 40n, fx: [2_000n, -2_500n], credited: 2_500n }],
    // (510 − 10) × 1.6.
    ["half", "CURRENT", 510n, { fees: 10n, fx: [500n, -800n], credited: 800n }],
  ])("credits %s at the price %s", (_what, price, minor, moved) => {
    expect(resolved({ price, minor }).moved).toEqual({ suspense: 0n, ...moved });
  });

  it("in the currency of the account keeps the share of the fee", () => {
    const same = { currency: "USD", asset: "USD", multiplier: "1", amountMinor: 1_270n } as const;
    const { moved, made } = resolved({ invoice: same, item: { currency: "USD" }, minor: 128n });
    // 128 × 1,250 ÷ 1,270 is 125.98.
    expect([moved.credited, moved.suspense, made.length]).toEqual([125n, 0n, 1]);
  });

  it("in millisatoshis is credited to the unit of an account in bitcoin", () => {
    const btc = { currency: "BTC", receivingMinor: 1_000n, multiplier: "1000" } as const;
    const msat = { asset: "MSAT", decimals: 0, amountMinor: 1_000_000n, feeMinor: 0n } as const;
    const { made } = resolved({
      invoice: { ...btc, ...msat },
      account: { currency: "BTC" },
      item: { currency: "MSAT" },
      minor: 1_999n,
    });
    expect(made).toMatchObject([{ receivedMinor: 1n, receivedCurrency: "BTC" }]);
  });

  it("is one part beside others", () => {
    const parts = [
      { kind: "INVOICE", minor: 500n, invoiceId: INVOICE, price: "QUOTED" },
      { kind: "OWN_FUNDS", minor: 10n, label: "rest" },
    ] as const;
    expect(resolved({ parts }).moved).toMatchObject({ suspense: 0n, credited: 612n });
  });
});

const frozen = { scope: "ALL", reason: "x", by: "x", at: DECIDED_AT } as never;
const FAULTS = inOrder<State>([
  ["REFERENCE_NOT_FOUND parts[0].invoiceId", { invoiceId: ABSENT }],
  [
    "INVALID_INPUT cannot be paid from money that went out; use OWN_FUNDS",
    { item: { direction: "DEBIT" } },
  ],
  ["INVALID_INPUT names an invoice of another connection", { invoice: { connectionId: ABSENT } }],
]);

describe("refusals of a part for an invoice", () => {
  it.each(FAULTS)("%s %s", (expected, _how, state) => {
    expect(answer(state)).toBe(expected);
  });

  const twice = [
    { kind: "INVOICE", minor: 500n, invoiceId: INVOICE, price: "QUOTED" },
    { kind: "INVOICE", minor: 10n, invoiceId: INVOICE, price: "CURRENT" },
  ] as const;
  it.each<readonly [string, State]>([
    [
      "INVALID_INPUT is not paid by money that came back for an order",
      { item: { entryId: null, paymentId: queuedOrder.id } },
    ],
    ["INVALID_INPUT is paid in GBP, the item is in EUR", { invoice: { asset: "GBP" } }],
    ["INVALID_INPUT is there twice; a line is for one invoice", { parts: twice }],
    ["RATE_STALE EUR/USD", { price: "CURRENT", isOld: true }],
    ["decided", { price: "QUOTED", isOld: true }],
    [
      "INVALID_INPUT 10 of EUR buys nothing of USD; use OWN_FUNDS",
      { price: "CURRENT", minor: 10n },
    ],
    [
      "INVALID_INPUT 1 of EUR buys nothing of USD; use OWN_FUNDS",
      { minor: 1n, invoice: { receivingMinor: 1_000n, multiplier: "1" } },
    ],
    ["CONFLICT parts[0].invoiceId", { account: { status: "CLOSED" } }],
    ["CONFLICT parts[0].invoiceId", { account: { frozen } }],
    ["CONFLICT parts[0].invoiceId", { customer: { deletedAt: DECIDED_AT } }],
    ["CONFLICT parts[0].invoiceId", { isFull: true }],
    ["FX_LIMIT", { maxLong: 499n }],
    ["decided", { maxLong: 500n }],
    ["AMOUNT_OUT_OF_RANGE", { noRoom: true }],
  ])("%s: %#", (expected, state) => {
    expect(answer(state)).toBe(expected);
  });

  it("leave everything as it was", () => {
    const { moved, made, item } = resolved({ account: { status: "CLOSED" } });
    expect([moved.credited, moved.suspense, made, item?.state]).toEqual([0n, 510n, [], "OPEN"]);
  });
});

it("1,000 random amounts give the customer no more than their share, and the platform less than a unit more", () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const chance = chanceFrom(seed);
    const minor = BigInt(1 + chance(5_000));
    const { moved, refusal } = resolved({ minor });
    const [gained = 0n, given = 0n] = moved.fx;
    const credited = moved.credited ?? 0n;
    if (refusal !== undefined) {
      expect(minor * invoice.receivingMinor < invoice.amountMinor).toBe(true);
      continue;
    }
    expect([gained + moved.fees, given, moved.suspense]).toEqual([minor, -credited, 0n]);
    const left = minor * invoice.receivingMinor - credited * invoice.amountMinor;
    expect(left >= 0n && left < invoice.amountMinor && moved.fees >= 0n).toBe(true);
  }
});
