/** The books as the API shows them. */
import Type from "typebox";
import type { ListedEntry, ListedPosting } from "../../domain/accounts/internal/entries.sql.ts";
import type { KindSum } from "../../domain/reading/ledger/balances.sql.ts";
import type { LedgerAccount } from "../../ledger/chart.ts";
import { present } from "../../std/assert.ts";
import { LedgerAmountSchema, ledgerAmount } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireLedgerAccount = wireObject(
  "LedgerAccount",
  ({ of, maybe }: Kit<LedgerAccount>) => ({
    id: of.id("LedgerAccount", { description: "`LedgerAccount:<uuid>`", example: 4 }),
    kind: of.text({
      description:
        "`internal`, or what a system account is for: `in-flight`, `rail-clearing`, `clearing`, `fees` …",
      example: "internal",
    }),
    currency: of.text({ example: "USD" }),
    internalAccountId: maybe.id("InternalAccount", {
      from: ({ kind, id }) => (kind === "internal" ? id : null),
      description: "Of kind `internal`.",
      example: 4,
    }),
    connectionId: maybe.id("RailConnection", {
      description: "The rail connection whose account it is.",
    }),
    balance: of.ledgerAmount("balanceMinor", { example: 98_500n }),
    held: of.ledgerAmount("heldMinor", { example: 1_500n }),
    version: of.integer({ minimum: 0, description: "How many entries it has.", example: 3 }),
    updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  }),
);

const ledgerEntry = wireObject("LedgerEntry", ({ of, maybe }: Kit<ListedEntry>) => ({
  accountId: of.id("LedgerAccount", { description: "`LedgerAccount:<uuid>`", example: 4 }),
  commandSeq: of.integer({
    minimum: 1,
    description: "The command that made the entry.",
    example: 17,
  }),
  line: of.integer({
    minimum: 0,
    description: "Its place among the entries of the command.",
    example: 0,
  }),
  version: of.integer({
    minimum: 1,
    description: "Its number among the entries of the account.",
    example: 3,
  }),
  posting: of.text({
    from: ({ commandSeq, posting }) => `${commandSeq}.${posting}`,
    description: "`<commandSeq>.<n>`",
    example: "17.0",
  }),
  reason: of.text({ example: "payout.hold" }),
  amount: of.ledgerAmount("amountMinor", { example: -1_500n }),
  balanceAfter: of.ledgerAmount("balanceAfterMinor", { example: 98_500n }),
  at: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  transactionId: maybe.text({
    description: "The transaction that the command was about, where it told of one.",
    example: "Transaction:019a4f00-0000-7000-8000-000000000002",
  }),
}));

export const {
  schema: LedgerEntrySchema,
  json: ledgerEntryJson,
  example: ledgerEntryExample,
} = ledgerEntry;

const firstOf = ({ legs }: ListedPosting) => present(legs[0], "the first entry of a posting");

export const wirePosting = wireObject("Posting", ({ of, maybe }: Kit<ListedPosting>) => ({
  id: of.text({
    from: ({ commandSeq, posting }) => `${commandSeq}.${posting}`,
    description: "`<commandSeq>.<n>`",
    example: "17.0",
  }),
  commandSeq: of.integer({ minimum: 1, example: 17 }),
  reason: of.text({ from: (posting) => firstOf(posting).reason, example: "payout.hold" }),
  at: of.time({ from: (posting) => firstOf(posting).at, example: "2026-11-21T10:00:00.000Z" }),
  transactionId: maybe.text({
    from: (posting) => firstOf(posting).transactionId,
    example: "Transaction:019a4f00-0000-7000-8000-000000000002",
  }),
  legs: of.list(ledgerEntry, {
    description: "In each currency their amounts sum to zero.",
    example: [
      ledgerEntryExample,
      {
        ...ledgerEntryExample,
        accountId: "LedgerAccount:019a4f00-0000-7000-8000-000000000006",
        line: 1,
        version: 9,
        amount: ledgerAmount(1_500n, "USD"),
        balanceAfter: ledgerAmount(1_500n, "USD"),
      },
    ],
  }),
}));

export const KindBalanceSchema = Type.Object(
  { kind: Type.String(), balance: LedgerAmountSchema },
  { $id: "KindBalance" },
);

const amount = ledgerAmount;

export function toKindBalance({ kind, currency, minor }: KindSum) {
  return { kind, balance: amount(minor, currency) };
}

export const kindBalancesExample = [
  { kind: "in-flight", balance: amount(1_500n, "USD") },
  { kind: "internal", balance: amount(98_500n, "USD") },
  { kind: "sandbox-funding", balance: amount(-100_000n, "USD") },
];
