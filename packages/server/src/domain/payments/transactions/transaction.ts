/**
 * A transaction: one movement of money as the platform sees it.
 *
 * OUTGOING   PENDING → PROCESSING → COMPLETED; PENDING or PROCESSING → FAILED, with a refund of what was debited;
 *            PENDING → EXPIRED with its quote; COMPLETED → FAILED when a bank sends a payment back. A payment that was
 *            cancelled stays PROCESSING while it is refunded, then it is COMPLETED, and `refund` shows that it came back
 * INCOMING   PENDING → COMPLETED or FAILED; one that needs the platform's approval: PENDING → PROCESSING, REJECTED or FAILED,
 *            PROCESSING → COMPLETED or FAILED; COMPLETED → REFUNDED when all of it was given back, or FAILED when its bank took
 *            it back
 *
 * Both transactions of a book transfer are COMPLETED when they are created.
 */
import type { World } from "../../../engine/command.ts";
import { assert } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import { countedBy, statusFacet, typeFacet } from "../../../tables/facets.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { RequestedField } from "../../customers/customer-info.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import type { TransactionType } from "../../platform.ts";
import type { Failure, FailureReason } from "./failure.ts";

export const transactionStatuses = [
  "CREATED",
  "PENDING",
  "PROCESSING",
  "COMPLETED",
  "REJECTED",
  "FAILED",
  "REFUNDED",
  "EXPIRED",
] as const;

export type TransactionStatus = (typeof transactionStatuses)[number];

export interface Refund {
  readonly reference: string;
  readonly initiatedAt: string;
  readonly settledAt?: string;
  readonly status: "PENDING" | "COMPLETED" | "FAILED";
  readonly reason: "TRANSACTION_FAILED" | "USER_CANCELLATION" | "TIMEOUT";
  /** Set when a connection returned a settled payout; otherwise the refund is the whole debited amount. */
  readonly returned?: ReturnedMoney;
}

/** The returned amount of a payout, and its refund in the sending currency. Amounts are decimal strings. */
export type ReturnedMoney = {
  readonly cameMinor: string;
  readonly refundMinor: string;
  /** Sending units per returned unit; absent within one currency. */
  readonly rate?: { readonly numerator: string; readonly denominator: string };
};

/** The part of the debited amount that the refund gives back. */
export function refundedMinorOf(refund: Refund | null, takenMinor: bigint): bigint {
  return refund?.returned === undefined ? takenMinor : BigInt(refund.returned.refundMinor);
}

export type PaymentOutcome = {
  readonly counterpartyInformation?: JsonObject;
  /** The sender's data that the receiver's platform requires before it accepts such a payment. */
  readonly requiredPayerDataFields?: readonly JsonObject[];
  /** The platform's reason for rejecting an incoming payment. */
  readonly rejectionReason?: string;
  /** For an incoming payment: the amounts refunded and being refunded, as decimal strings. See incoming-refund.ts. */
  readonly refundedMinor?: string;
  readonly refundPendingMinor?: string;
  /** For an incoming UMA payment whose money was to go on to an account outside: the payout that took it on, or that it stayed. */
  readonly depositTransactionId?: string;
  readonly depositFallback?: true;
  /** For a payment over a rail connection: the references that identify its order at the bank. */
  readonly reconciliationInstructions?: {
    readonly reference: string;
    readonly endToEndId: string;
    /** Absent until the rail reports it. */
    readonly bankReference?: string;
  };
};

/** One side of a transaction, as the API shows it. */
export type Party =
  | { readonly type: "ACCOUNT"; readonly accountId: string; readonly currency: string }
  | { readonly type: "UMA_ADDRESS"; readonly umaAddress: string; readonly currency?: string }
  | {
      readonly type: "REALTIME_FUNDING";
      readonly currency: string;
      readonly customerId?: string;
      /** For money that came in at a connection: the payer's data from its entry. */
      readonly accountHolderName?: string;
      readonly accountIdentifier?: string;
      readonly remittanceInformation?: string;
      readonly endToEndId?: string;
    };

const columns = {
  id: fixed("uuid"),
  type: fixed<TransactionType>("text"),
  status: mutable<TransactionStatus>("text"),
  /** Null when the platform moves its own money. */
  customerId: fixed<string | null>("uuid"),
  platformCustomerId: fixed("text"),
  source: fixed<Party>("json"),
  destination: fixed<Party>("json"),
  sourceAccountId: fixed<string | null>("uuid"),
  destinationAccountId: fixed<string | null>("uuid"),
  sentMinor: fixed<bigint | null>("int8"),
  sentCurrency: fixed<string | null>("text"),
  receivedMinor: fixed<bigint | null>("int8"),
  receivedCurrency: fixed<string | null>("text"),
  quoteId: fixed<string | null>("uuid"),
  agentId: fixed<string | null>("uuid"),
  reference: fixed<string | null>("text"),
  description: fixed<string | null>("text"),
  failureReason: mutable<FailureReason | null>("text"),
  /** Null while it has not failed, and for payments that failed before this was recorded. */
  failure: mutable<Failure | null>("json"),
  refund: mutable<Refund | null>("json"),
  /** Members that the API shows beside the others, such as what the rail gets besides the amount. */
  details: fixed<JsonObject | null>("json"),
  /** The platform may replace it at any time: see change-metadata.ts. */
  metadata: mutable<Metadata | null>("json"),
  /** Members that are known only after the decision of the other side: its answers, or its reason for a refusal. */
  outcome: mutable<PaymentOutcome | null>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  settledAt: mutable<number | null>("time"),
};

export interface Transaction extends RowOf<typeof columns> {}

export const transactions = defineTable<Transaction>("transactions", columns, {
  isFinal,
  metadataOf: ({ metadata }) => metadata,
  counted: countedBy<Transaction>(typeFacet, statusFacet),
});

/** Whether the transaction is final. A bank can still return a completed payment. */
function isFinal({ status, refund }: Transaction): boolean {
  const isOpen = status === "CREATED" || status === "PENDING" || status === "PROCESSING";
  return !isOpen && refund?.status !== "PENDING";
}

/** The transitions of each status. */
const WAYS_OUT: Readonly<
  Record<TransactionType, Partial<Record<TransactionStatus, readonly TransactionStatus[]>>>
> = {
  OUTGOING: {
    PENDING: ["PROCESSING", "FAILED", "EXPIRED"],
    PROCESSING: ["COMPLETED", "FAILED"],
    COMPLETED: ["FAILED"],
  },
  INCOMING: {
    CREATED: ["PENDING", "FAILED"],
    PENDING: ["PROCESSING", "COMPLETED", "REJECTED", "FAILED"],
    PROCESSING: ["COMPLETED", "FAILED"],
    // A collected payment was taken back.
    COMPLETED: ["REFUNDED", "FAILED"],
    // The payer's bank sent a refund back.
    REFUNDED: ["COMPLETED"],
  },
};

export function canLeave(transaction: Transaction, to: TransactionStatus): boolean {
  return WAYS_OUT[transaction.type][transaction.status]?.includes(to) === true;
}

/** The transaction in its next state. A transition that is not listed is a bug. */
export function moveTo(
  transaction: Transaction,
  to: TransactionStatus,
  change: { readonly at: number } & Partial<
    Pick<Transaction, "failureReason" | "failure" | "refund" | "settledAt" | "outcome">
  >,
): Transaction {
  assert(canLeave(transaction, to), `a transaction goes from ${transaction.status} to ${to}`);
  const { at, ...fields } = change;
  return { ...transaction, ...fields, status: to, updatedAt: at };
}

/**
 * Whether the payer has the money: the payment was never funded, or was refunded. While a refund is pending, and after it
 * failed, the money is held and the answer is false.
 */
export function isMoneyBack({ status, refund }: Transaction): boolean {
  if (refund !== null) return refund.status === "COMPLETED";
  return status === "FAILED" || status === "REJECTED" || status === "EXPIRED";
}

export interface TransactionSubject {
  readonly kind: "Transaction";
  readonly id: string;
  readonly transaction: Transaction;
  /** In an approval request to the platform: the receiver's data that the sender's institution requests. */
  readonly requestedFields: readonly RequestedField[] | undefined;
}

/** A reference for statements, made of the random digits of an id, so that two references differ. */
export function referenceFrom(prefix: "RF" | "SF" | "TI" | "UMA", id: string): string {
  return `${prefix}-${id.replaceAll("-", "").slice(-16).toUpperCase()}`;
}

export function toTransactionId(id: string): string {
  return `Transaction:${id}`;
}

export function transactionSubject(
  transaction: Transaction,
  requestedFields?: readonly RequestedField[],
): TransactionSubject {
  return { kind: "Transaction", id: toTransactionId(transaction.id), transaction, requestedFields };
}

/**
 * Schedules the job that updates the agent's action when its payment fails or is refunded. A job is used because actions
 * depend on transactions and not the reverse.
 */
export function notifyAgent(world: World, { id, agentId }: Transaction): void {
  if (agentId === null) return;
  scheduleJob(world, {
    kind: "follow-agent-payment",
    payload: { transactionId: id },
    dueAt: world.at,
  });
}
