/** The calls that read a platform's history, as the API has them. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

export const bookRows: readonly Row[] = [
  [
    "transactions.timeline",
    (c) => c.transactions.timeline("Transaction:1"),
    "GET /transactions/Transaction%3A1/timeline",
  ],
  [
    "exports.create",
    (c) => c.exports.create({ kind: "EVENTS", filter: { after: 7 }, format: "JSONL" }),
    "POST /exports",
  ],
  ["exports.list", (c) => c.exports.list({ limit: 5 }), "GET /exports?limit=5"],
  ["exports.get", (c) => c.exports.get("Export:1"), "GET /exports/Export%3A1"],
  [
    "statements.create",
    (c) =>
      c.statements.create({
        accountId: "InternalAccount:1",
        from: "2026-10-01",
        to: "2026-10-31",
        format: "CSV",
      }),
    "POST /statements",
  ],
  ["statements.list", (c) => c.statements.list({ limit: 2 }), "GET /statements?limit=2"],
  ["statements.get", (c) => c.statements.get("Statement:1"), "GET /statements/Statement%3A1"],
  ["events.list", (c) => c.events.list({ limit: 2 }), "GET /events?limit=2"],
  ["events.get", (c) => c.events.get("Webhook:1"), "GET /events/Webhook%3A1"],
  ["ledger.accounts", (c) => c.ledger.accounts({ kind: "fx" }), "GET /ledger/accounts?kind=fx"],
  [
    "ledger.entries",
    (c) => c.ledger.entries("LedgerAccount:1", { limit: 2 }),
    "GET /ledger/accounts/LedgerAccount%3A1/entries?limit=2",
  ],
  ["ledger.postings", (c) => c.ledger.postings({ limit: 2 }), "GET /ledger/postings?limit=2"],
  ["ledger.posting", (c) => c.ledger.posting("17.0"), "GET /ledger/postings/17.0"],
  ["ledger.balances", (c) => c.ledger.balances(), "GET /ledger/balances"],
  [
    "ledger.trialBalance",
    (c) => c.ledger.trialBalance({ date: "2026-11-21" }),
    "GET /ledger/trial-balance?date=2026-11-21",
  ],
  ["ledger.command", (c) => c.ledger.command("17"), "GET /ledger/commands/17"],
  ["ledger.proof", (c) => c.ledger.proof("17"), "GET /ledger/commands/17/proof"],
  ["ledger.chain", (c) => c.ledger.chain({ from: 1, to: 9 }), "GET /ledger/chain?from=1&to=9"],
  [
    "ledger.checkpoints",
    (c) => c.ledger.checkpoints({ limit: 2 }),
    "GET /ledger/checkpoints?limit=2",
  ],
  ["ledger.createCheckpoint", (c) => c.ledger.createCheckpoint(), "POST /ledger/checkpoints"],
];
