/** The books as the API shows them. */
import Type from "typebox";
import type { KindSum } from "../../domain/reading/ledger/balances.sql.ts";
import type { ListedEntry, ListedPosting } from "../../domain/reading/ledger/entries.sql.ts";
import type { LedgerAccount } from "../../ledger/chart.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema, LedgerAmountSchema, ledgerAmount } from "../fields.ts";

export const LedgerAccountSchema = Type.Object(
  {
    id: Type.String({ description: "`LedgerAccount:<uuid>`" }),
    kind: Type.String({
      description:
        "`internal`, or what a system account is for: `in-flight`, `rail-clearing`, `clearing`, `fees` …",
    }),
    currency: Type.String(),
    internalAccountId: Type.Optional(Type.String({ description: "Of kind `internal`." })),
    connectionId: Type.Optional(
      Type.String({ description: "The rail connection whose account it is." }),
    ),
    balance: LedgerAmountSchema,
    held: LedgerAmountSchema,
    version: Type.Integer({ minimum: 0, description: "How many entries it has." }),
    updatedAt: DateTimeSchema,
  },
  { $id: "LedgerAccount" },
);

const entryMembers = {
  accountId: Type.String({ description: "`LedgerAccount:<uuid>`" }),
  commandSeq: Type.Integer({ minimum: 1, description: "The command that made the entry." }),
  line: Type.Integer({ minimum: 0, description: "Its place among the entries of the command." }),
  version: Type.Integer({
    minimum: 1,
    description: "Its number among the entries of the account.",
  }),
  posting: Type.String({ description: "`<commandSeq>.<n>`" }),
  reason: Type.String(),
  amount: LedgerAmountSchema,
  balanceAfter: LedgerAmountSchema,
  at: DateTimeSchema,
  transactionId: Type.Optional(
    Type.String({
      description: "The transaction that the command was about, where it told of one.",
    }),
  ),
};

export const LedgerEntrySchema = Type.Object(entryMembers, { $id: "LedgerEntry" });

export const PostingSchema = Type.Object(
  {
    id: Type.String({ description: "`<commandSeq>.<n>`" }),
    commandSeq: Type.Integer({ minimum: 1 }),
    reason: Type.String(),
    at: DateTimeSchema,
    transactionId: Type.Optional(Type.String()),
    legs: Type.Array(LedgerEntrySchema, {
      description: "In each currency their amounts sum to zero.",
    }),
  },
  { $id: "Posting" },
);

export const KindBalanceSchema = Type.Object(
  { kind: Type.String(), balance: LedgerAmountSchema },
  { $id: "KindBalance" },
);

const amount = ledgerAmount;

export function ledgerAccountJson(account: LedgerAccount): string {
  const { id, kind, currency, connectionId, balanceMinor, heldMinor, version, updatedAt } = account;
  return JSON.stringify({
    id: toWireId("LedgerAccount", id),
    kind,
    currency,
    ...(kind === "internal" ? { internalAccountId: toWireId("InternalAccount", id) } : {}),
    ...(connectionId === null ? {} : { connectionId: toWireId("RailConnection", connectionId) }),
    balance: amount(balanceMinor, currency),
    held: amount(heldMinor, currency),
    version: Number(version),
    updatedAt: toIso(updatedAt),
  });
}

function toEntry(entry: ListedEntry) {
  const { commandSeq, line, posting, currency, transactionId } = entry;
  return {
    accountId: toWireId("LedgerAccount", entry.accountId),
    commandSeq: Number(commandSeq),
    line,
    version: Number(entry.version),
    posting: `${commandSeq}.${posting}`,
    reason: entry.reason,
    amount: amount(entry.amountMinor, currency),
    balanceAfter: amount(entry.balanceAfterMinor, currency),
    at: toIso(entry.at),
    ...(transactionId === null ? {} : { transactionId }),
  };
}

export function ledgerEntryJson(entry: ListedEntry): string {
  return JSON.stringify(toEntry(entry));
}

export function toPosting({ commandSeq, posting, legs }: ListedPosting) {
  const entries = legs.map(toEntry);
  const [first] = entries;
  return {
    id: `${commandSeq}.${posting}`,
    commandSeq: Number(commandSeq),
    reason: first?.reason,
    at: first?.at,
    ...(first?.transactionId === undefined ? {} : { transactionId: first.transactionId }),
    legs: entries,
  };
}

export function postingJson(posting: ListedPosting): string {
  return JSON.stringify(toPosting(posting));
}

export function toKindBalance({ kind, currency, minor }: KindSum) {
  return { kind, balance: amount(minor, currency) };
}

const entryExample = {
  accountId: "LedgerAccount:019a4f00-0000-7000-8000-000000000004",
  commandSeq: 17,
  line: 0,
  version: 3,
  posting: "17.0",
  reason: "payout.hold",
  amount: amount(-1_500n, "USD"),
  balanceAfter: amount(98_500n, "USD"),
  at: "2026-11-21T10:00:00.000Z",
  transactionId: "Transaction:019a4f00-0000-7000-8000-000000000002",
};

export const ledgerEntryExample = entryExample;

export const postingExample = {
  id: "17.0",
  commandSeq: 17,
  reason: "payout.hold",
  at: entryExample.at,
  transactionId: entryExample.transactionId,
  legs: [
    entryExample,
    {
      ...entryExample,
      accountId: "LedgerAccount:019a4f00-0000-7000-8000-000000000006",
      line: 1,
      version: 9,
      amount: amount(1_500n, "USD"),
      balanceAfter: amount(1_500n, "USD"),
    },
  ],
};

export const ledgerAccountExample = {
  id: entryExample.accountId,
  kind: "internal",
  currency: "USD",
  internalAccountId: "InternalAccount:019a4f00-0000-7000-8000-000000000004",
  balance: amount(98_500n, "USD"),
  held: amount(1_500n, "USD"),
  version: 3,
  updatedAt: entryExample.at,
};

export const kindBalancesExample = [
  { kind: "in-flight", balance: amount(1_500n, "USD") },
  { kind: "internal", balance: amount(98_500n, "USD") },
  { kind: "sandbox-funding", balance: amount(-100_000n, "USD") },
];
