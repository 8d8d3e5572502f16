/** The calls of dry runs, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

const move = { source: { accountId: "a" }, destination: { accountId: "b" }, amount: 5 };
const quote = {
  source: { sourceType: "ACCOUNT", accountId: "InternalAccount:1" },
  destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:1" },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 100,
} as const;

export const dryRunRows: readonly Row[] = [
  ["dryRuns.transfer", (c) => c.dryRuns.transfer(move), "POST /transfers?dryRun=true"],
  ["dryRuns.transferOut", (c) => c.dryRuns.transferOut(move), "POST /transfer-out?dryRun=true"],
  ["dryRuns.transferIn", (c) => c.dryRuns.transferIn(move), "POST /transfer-in?dryRun=true"],
  ["dryRuns.quote", (c) => c.dryRuns.quote(quote), "POST /quotes?dryRun=true"],
  [
    "dryRuns.executeQuote",
    (c) => c.dryRuns.executeQuote("Quote:1"),
    "POST /quotes/Quote%3A1/execute?dryRun=true",
  ],
  [
    "dryRuns.refund",
    (c) => c.dryRuns.refund("Transaction:1", { reason: "OTHER" }),
    "POST /transactions/Transaction%3A1/refund?dryRun=true",
  ],
  [
    "dryRuns.batch",
    (c) => c.dryRuns.batch({ mode: "INDEPENDENT", items: [] }),
    "POST /payment-batches?dryRun=true",
  ],
  [
    "dryRuns.capture",
    (c) => c.dryRuns.capture("Hold:1", { destination: { accountId: "InternalAccount:2" } }),
    "POST /holds/Hold%3A1/capture?dryRun=true",
  ],
  [
    "dryRuns.adjustment",
    (c) =>
      c.dryRuns.adjustment({
        accountId: "InternalAccount:1",
        direction: "CREDIT",
        amount: 5,
        currency: "USD",
        reasonCode: "GOODWILL",
        note: "The payout was late",
      }),
    "POST /adjustments?dryRun=true",
  ],
];
