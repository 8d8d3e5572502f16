/** A pay request for dollars over a layer in euros, and the rows by which it is priced and routed. */
import type { RateSource } from "../../src/domain/prices/rate-sources/rate-source.ts";
import type { SettlementLayer } from "../../src/domain/rails/connections/settlement.ts";
import type { ConnectionEntry, RouteEntry } from "../../src/domain/rails/routes/routing.ts";
import type { PayRequestInput } from "../../src/domain/uma/incoming/receive-pay-request.ts";
import { DECIDED_AT } from "./decide-alone.ts";
import { customer, PLATFORM } from "./payment-rows.ts";
import { connection } from "./rail-rows.ts";

const asOf = new Date(DECIDED_AT - 60_000).toISOString();
/** 1.25 dollars for a euro. */
export const rateSource = {
  ...{ id: "018f0000-0000-7000-8000-0000000000f1", name: "desk", kind: "FIXED" },
  ...{ pivots: [], priority: 1, maxAgeMinutes: 60, deletedAt: null, createdAt: 1 },
  rates: [{ base: "EUR", quote: "USD", rate: "1.25", asOf }],
} as unknown as RateSource;

const fee = { from: "EUR", to: "USD", accountType: "UMA_ADDRESS", paymentRail: null };
/** Twenty cents a payment. */
export const feeRules = {
  id: PLATFORM,
  ...{ spreads: [], spreadsVersion: 3, feesVersion: 7, updatedAt: DECIDED_AT },
  fees: [{ ...fee, fixed: "20", bps: 0, least: null, most: null }],
};

/** The rest is of the customer and the connection in `payment-rows.ts` and `rail-rows.ts`. */
export const payRequest: PayRequestInput = {
  tokenId: "first",
  vaspDomain: "vasp.test",
  receiver: { umaAddress: customer.umaAddress, customerId: customer.id },
  sender: {
    umaAddress: "$payer@vasp.test",
    information: { FULL_NAME: "Bo Lind", TAX_ID: "1" },
    requestedFields: [{ name: "EMAIL", mandatory: true }],
  },
  settlement: {
    connectionId: connection.id,
    layer: "bank.example",
    identifier: "EUR",
    asset: "EUR",
    decimals: 2,
    invoiceSeconds: 300,
  },
  currency: "USD",
  locked: { side: "RECEIVING", minor: 1_250n },
  comment: "for lunch",
  travelRule: null,
  hook: { callback: "https://vasp.test/hook", ownDomain: "bank.test" },
  message: { kind: "pay", domain: "vasp.test", text: "$payer@vasp.test|7|1", signedAt: DECIDED_AT },
};

export const layer: SettlementLayer = {
  layer: "bank.example",
  send: false,
  receive: true,
  assets: [{ identifier: "EUR", currency: "EUR", decimals: 2 }],
  invoiceSeconds: { min: 60, max: 600 },
  exactAmounts: true,
  partialPayments: false,
};
/** The connection as the routing row holds it. */
export const bank: ConnectionEntry = {
  ...{ id: connection.id, kind: "HTTP", account: {}, status: "ACTIVE", newPayments: "REFUSE" },
  ...{ capabilities: [], payoutCeiling: null, holdDays: 0 },
  calendar: connection.calendar,
  settlement: [layer],
};
export const toBank: RouteEntry = {
  ...{ id: "018f0000-0000-7000-8000-0000000000f2", priority: 100, connectionId: connection.id },
  ...{ direction: "INVOICE", currency: "EUR", accountTypes: null, paymentRails: null },
  ...{ min: null, max: null, enabled: true, fallbackAfterSeconds: null },
};
