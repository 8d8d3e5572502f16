/** A pay request: its price, what it stores, and the order of its refusals. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import {
  bank,
  feeRules,
  layer,
  payRequest,
  rateSource,
  toBank,
} from "../../../../test/kit/pay-request-rows.ts";
import { customer, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { invoice, production } from "../../../../test/kit/uma-invoice-rows.ts";
import { ledgerAccounts, newSystemAccount } from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { type Platform, platforms } from "../../platform.ts";
import { fxPositions, positionId } from "../../prices/fx-positions/fx-position.ts";
import { priceRules } from "../../prices/price-rules/price-rules.ts";
import { type RateSource, rateSources } from "../../prices/rate-sources/rate-source.ts";
import { railRoutings } from "../../rails/routes/routing.ts";
import { umaNonceOf, umaNonces } from "../nonces/uma-nonce.ts";
import { paymentApprovals } from "../payment-approval.ts";
import { SANDBOX_LAYER } from "../sandbox-layer.ts";
import { type PayRequestInput, receivePayRequest } from "./receive-pay-request.ts";
import { type UmaInvoice, umaInvoices } from "./uma-invoice.ts";

interface Routing {
  readonly connection?: Partial<typeof bank>;
  /** Null: there is none. */
  readonly route?: Partial<typeof toBank> | null;
}

interface State {
  readonly routing?: Routing;
  readonly input?: Partial<PayRequestInput>;
  readonly platform?: Partial<Platform>;
  readonly served?: number;
  readonly isOld?: boolean;
  readonly maxLong?: bigint;
  readonly isFull?: boolean;
  readonly isReplayed?: boolean;
}

const old = { ...rateSource, maxAgeMinutes: 0 } as RateSource;

function receive(state: State = {}) {
  const served: readonly UmaInvoice[] = Array.from({ length: state.served ?? 0 }, (_, index) => ({
    ...invoice,
    id: `018f0000-0000-7000-8000-00000000009${index}`,
  }));
  const { route = {} } = state.routing ?? {};
  const full = { system: "fees", currency: "EUR" } as const;
  const position = {
    ...{ id: positionId("EUR"), currency: "EUR", committedMinor: 0n, maxShort: null },
    ...{ maxLong: state.maxLong ?? null, updatedAt: DECIDED_AT },
  };
  return decided({
    command: receivePayRequest,
    input: { ...payRequest, ...state.input },
    platformId: PLATFORM,
    actor: { kind: "worker", id: "uma" },
    tables: [
      rowsOf(platforms, { ...production, ...state.platform }),
      rowsOf(customers, customer),
      rowsOf(internalAccounts, internal),
      rowsOf(rateSources, state.isOld === true ? old : rateSource),
      rowsOf(priceRules, feeRules),
      rowsOf(fxPositions, position),
      rowsOf(umaInvoices, ...served),
      rowsOf(railRoutings, {
        id: PLATFORM,
        routes: route === null ? [] : [{ ...toBank, ...route }],
        connections: [{ ...bank, ...state.routing?.connection }],
      }),
      rowsOf(umaNonces, ...(state.isReplayed === true ? [umaNonceOf(payRequest.message)] : [])),
      rowsOf(
        ledgerAccounts,
        ...(state.isFull === true
          ? [{ ...newSystemAccount(full, DECIDED_AT), balanceMinor: INT8_MAX / 2n }]
          : []),
      ),
    ],
  });
}

describe("a pay request", () => {
  it("stores the payment, its price and the question in one commit", () => {
    const { world, output } = receive();
    const [stored] = written(world, umaInvoices);
    expect(stored).toMatchObject({
      id: output?.id,
      accountId: internal.id,
      amountMinor: 1_020n,
      feeMinor: 20n,
      receivingMinor: 1_250n,
      multiplier: "0.8",
      state: "ASKED",
      price: { sourceName: "desk", mid: "4/5", spreadsVersion: 3, feesVersion: 7 },
    });
    expect(written(world, transactions)).toMatchObject([
      {
        status: "PENDING",
        type: "INCOMING",
        receivedMinor: 1_250n,
        receivedCurrency: "USD",
        description: "for lunch",
        source: { umaAddress: "$payer@vasp.test" },
      },
    ]);
    expect(written(world, paymentApprovals)).toMatchObject([{ outcome: { kind: "invoice" } }]);
    expect(written(world, umaNonces)).toEqual([umaNonceOf(payRequest.message)]);
    const committed = written(world, fxPositions).map(({ currency, committedMinor }) => [
      currency,
      committedMinor,
    ]);
    expect(Object.fromEntries(committed)).toEqual({ EUR: 1_000n, USD: -1_250n });
  });

  it("of units of the asset gives what they buy", () => {
    const { world } = receive({ input: { locked: { side: "SENDING", minor: 1_021n } } });
    // (1,021 − 20) / 0.8 = 1,251.25: the rest is fee.
    expect(written(world, umaInvoices)).toMatchObject([
      { amountMinor: 1_021n, receivingMinor: 1_251n, feeMinor: 20n },
    ]);
  });

  it("gives the platform the payer's data that it asks for, and no more", () => {
    const [usd, ...others] = production.supportedCurrencies;
    const requiredCounterpartyFields = [{ name: "FULL_NAME", mandatory: true }] as const;
    const asking = { ...usd, requiredCounterpartyFields } as typeof usd & object;
    const { world } = receive({ platform: { supportedCurrencies: [asking, ...others] } });
    expect(written(world, transactions)[0]?.details).toMatchObject({
      counterpartyInformation: { FULL_NAME: "Bo Lind" },
    });
    expect(JSON.stringify(written(world, transactions)[0]?.details)).not.toContain("TAX_ID");
  });

  it("fails at once where the platform cannot be asked, and keeps no price", () => {
    const { world, output } = receive({ platform: { webhookEndpoint: null } });
    expect(output).toMatchObject({
      status: "FAILED",
      failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR",
    });
    expect([written(world, umaInvoices), written(world, fxPositions)]).toEqual([[], []]);
  });
});

const FAULTS = inOrder<State>([
  ["LOOKUP_REQUEST_NOT_FOUND", { served: 5 }],
  ["RATE_STALE", { isOld: true }],
  ["AMOUNT_OUT_OF_RANGE EUR", { input: { locked: { side: "SENDING", minor: 20n } } }],
  ["NOT_IMPLEMENTED ROUTE", { routing: { route: null } }],
  ["FX_LIMIT EUR", { maxLong: 999n }],
  ["AMOUNT_OUT_OF_RANGE EUR", { isFull: true }],
  ["INVALID_NONCE", { isReplayed: true }],
]);

describe("refusals of a pay request", () => {
  it.each(FAULTS)("%s %s", (expected, _how, state) => {
    const { refusal } = receive(state);
    expect(named(refusal, "missing", "currency")).toBe(expected);
  });

  it.each<readonly [string, number | undefined, number | undefined, string]>([
    ["the least", 1_020, undefined, "decided"],
    ["below the least", 1_021, undefined, "AMOUNT_OUT_OF_RANGE EUR"],
    ["the most", undefined, 1_020, "decided"],
    ["above the most", undefined, 1_019, "AMOUNT_OUT_OF_RANGE EUR"],
  ])("judges %s of the layer and of the route", (_what, least, most, expected) => {
    const limits = { ...(least && { minAmount: least }), ...(most && { maxAmount: most }) };
    const assets = layer.assets.map((asset) => ({ ...asset, ...limits }));
    const ofLayer = { connection: { settlement: [{ ...layer, assets }] } };
    const ofRoute = { route: { min: least?.toString() ?? null, max: most?.toString() ?? null } };
    for (const routing of [ofLayer, ofRoute])
      expect(named(receive({ routing }).refusal, "missing", "currency")).toBe(expected);
  });

  it.each<readonly [string, Routing, string]>([
    ["a route that was switched off", { route: { enabled: false } }, "NOT_IMPLEMENTED ROUTE"],
    ["a route that leads elsewhere", { route: { connectionId: "x" } }, "NOT_IMPLEMENTED ROUTE"],
    ["a connection that is gone", { connection: { id: "x" } }, "NOT_IMPLEMENTED ROUTE"],
    ["a paused connection", { connection: { status: "PAUSED" } }, "RAIL_PAUSED"],
    ["a degraded one", { connection: { status: "DEGRADED" } }, "NOT_IMPLEMENTED ROUTE"],
    [
      "a layer that it has no more",
      { connection: { settlement: [] } },
      "NOT_IMPLEMENTED SETTLEMENT",
    ],
    ["the layer of sandboxes", { connection: { kind: "SANDBOX" } }, "NOT_IMPLEMENTED SETTLEMENT"],
  ])("need a route at that moment: %s", (_what, routing, expected) => {
    expect(named(receive({ routing }).refusal, "missing")).toBe(expected);
  });

  it("need no row of a route on the layer of sandboxes", () => {
    const settlement = { ...payRequest.settlement, layer: SANDBOX_LAYER };
    const routing = { connection: { kind: "SANDBOX" }, route: null } as const;
    expect(receive({ input: { settlement }, routing }).refusal).toBeUndefined();
  });

  it("are those of the announcement after that", () => {
    const receiver = { umaAddress: "$gone@p.test", customerId: customer.id };
    expect(named(receive({ input: { receiver } }).refusal)).toBe("UMA_NOT_FOUND");
  });

  it("serve four pay requests of a lookup before the fifth, and no sixth", () => {
    expect(receive({ served: 4 }).refusal).toBeUndefined();
  });
});
