/** An invoice in euros by which a customer gets dollars, with its payment and the rows that it stands for; of the rows in `payment-rows.ts`. */

import { internalAccounts } from "../../src/domain/accounts/internal/internal-account.ts";
import { customers } from "../../src/domain/customers/customer.ts";
import {
  type Transaction,
  transactions,
} from "../../src/domain/payments/transactions/transaction.ts";
import { type Platform, platforms } from "../../src/domain/platform.ts";
import { fxPositions, positionId } from "../../src/domain/prices/fx-positions/fx-position.ts";
import { railConnections } from "../../src/domain/rails/connections/rail-connection.ts";
import { railRoutings } from "../../src/domain/rails/routes/routing.ts";
import { type UmaInvoice, umaInvoices } from "../../src/domain/uma/incoming/uma-invoice.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../src/ledger/chart.ts";
import { DECIDED_AT, rowsOf, type TableRows } from "./decide-alone.ts";
import { customer, internal, PLATFORM, platform, quoteTransaction } from "./payment-rows.ts";
import { connection } from "./rail-rows.ts";

export const INVOICE = "018f0000-0000-7000-8000-0000000000c1";
export const INVOICE_JOB = "018f0000-0000-7000-8000-0000000000c2";

/** 1,020 euro cents, 20 of them the fee, for 1,250 dollar cents. */
export const invoice: UmaInvoice = {
  id: INVOICE,
  accountId: internal.id,
  connectionId: connection.id,
  layer: "bank.example",
  identifier: "EUR",
  asset: "EUR",
  decimals: 2,
  amountMinor: 1_020n,
  currency: "USD",
  receivingMinor: 1_250n,
  feeMinor: 20n,
  multiplier: "0.8",
  price: null,
  invoiceSeconds: 300,
  vaspDomain: "vasp.test",
  tokenId: "first",
  hook: null,
  state: "OPEN",
  text: "invoice-text",
  expiresAt: DECIDED_AT + 300_000,
  nodePubKey: null,
  utxos: null,
  entryId: null,
  endedAs: null,
  parts: null,
  jobId: INVOICE_JOB,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
};

export const invoicedPayment: Transaction = {
  ...quoteTransaction,
  id: INVOICE,
  type: "INCOMING",
  status: "PENDING",
  source: { type: "UMA_ADDRESS", umaAddress: "$payer@vasp.test" },
  destination: { type: "UMA_ADDRESS", umaAddress: customer.umaAddress, currency: "USD" },
  sourceAccountId: null,
  destinationAccountId: internal.id,
  sentMinor: null,
  sentCurrency: null,
  receivedMinor: 1_250n,
  receivedCurrency: "USD",
  quoteId: null,
  failureReason: null,
  failure: null,
  refund: null,
  details: null,
  settledAt: null,
};

export const production: Platform = { ...platform, environment: "PRODUCTION" };

const position = (currency: string, committedMinor: bigint) => ({
  id: positionId(currency),
  ...{ currency, committedMinor, maxLong: null, maxShort: null, updatedAt: DECIDED_AT },
});

/** The rows of an invoice in a state that a payer may pay, or of another that is given. */
export function invoiceTables(
  more: { readonly invoice?: Partial<UmaInvoice>; readonly payment?: Partial<Transaction> } = {},
): readonly TableRows[] {
  const connections = { ...connection, currencies: ["USD", "EUR"] };
  return [
    rowsOf(platforms, production),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal),
    rowsOf(ledgerAccounts, newInternalLedgerAccount(internal.id, "USD", DECIDED_AT)),
    rowsOf(railConnections, connections),
    rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
    rowsOf(fxPositions, position("EUR", 1_000n), position("USD", -1_250n)),
    rowsOf(umaInvoices, { ...invoice, ...more.invoice }),
    rowsOf(transactions, { ...invoicedPayment, ...more.payment }),
  ];
}
