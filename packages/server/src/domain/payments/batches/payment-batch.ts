/**
 * A batch of payments. Its items are stored with it. Those of an INDEPENDENT batch are run afterwards by a job, in their order and a
 * bounded number in a commit (see run-batch-items.ts); those of an ALL_OR_NOTHING batch are all decided by the command that creates it.
 * A batch with `scheduledFor` is run by the same job from that time on; nothing but its form is judged before. A server that was down then
 * runs it when it is back.
 *
 * PENDING     no item has run; leaves to PROCESSING, COMPLETED or CANCELLED
 * PROCESSING  some items have run; leaves to COMPLETED or CANCELLED
 * COMPLETED   final: each item was made a payment or was refused. The payments themselves may still be under way
 * CANCELLED   final: the items that had not run by then never run. `error` says why where a scheduled batch could not run
 *
 * The counts and the items change in the same commit, so they always agree.
 */
import type { World } from "../../../engine/command.ts";
import type { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import type { JsonObject } from "../../../std/json.ts";
import { countedBy, statusFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import type { BatchMembers } from "../transactions/batch-members.ts";

export const batchModes = ["INDEPENDENT", "ALL_OR_NOTHING"] as const;
export type BatchMode = (typeof batchModes)[number];

export const batchStatuses = ["PENDING", "PROCESSING", "COMPLETED", "CANCELLED"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const MOST_ITEMS = 10_000;
/** An ALL_OR_NOTHING batch is one command, for which other payments wait. */
export const MOST_ITEMS_AT_ONCE = 500;

/** The sum of the items in a currency, as text: JSON has no whole numbers of this size. Items of unknown accounts are in none. */
export type CurrencyTotal = {
  readonly currency: string;
  readonly count: number;
  readonly sumMinor: string;
};

/** Why an item was refused: what the single call would have answered. */
export type ItemError = {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
};

const columns = {
  id: fixed("uuid"),
  name: fixed<string | null>("text"),
  mode: fixed<BatchMode>("text"),
  status: mutable<BatchStatus>("text"),
  /** The token or the person that created the batch; its items run in this name. */
  actorId: fixed("uuid"),
  isPerson: fixed("bool"),
  /** The identities that counted as the same human then. */
  people: fixed<readonly string[]>("json"),
  /** The ids of its items lie between its own id and this one. */
  lastItemId: fixed("uuid"),
  /** The last item that has run. */
  ranItemId: mutable<string | null>("uuid"),
  total: fixed("int4"),
  /** Items that were made a payment. */
  accepted: mutable("int4"),
  refused: mutable("int4"),
  /** Payments of the batch that have completed. */
  completed: mutable("int4"),
  /** Payments of the batch that have failed; one that a bank sends back was completed before. */
  failed: mutable("int4"),
  currencyTotals: fixed<readonly CurrencyTotal[]>("json"),
  metadata: fixed<Metadata | null>("json"),
  /** Platform time from which the items run; null for those that run as soon as they are taken in. */
  scheduledFor: fixed<number | null>("time"),
  /** Of a scheduled batch: its first item runs only if the source accounts have what all items need. */
  requiresFunds: fixed<boolean | null>("bool"),
  /** Why a scheduled batch was not run. */
  error: mutable<ItemError | null>("json"),
  /** The job that runs the items. */
  jobId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  completedAt: mutable<number | null>("time"),
};

export interface PaymentBatch extends RowOf<typeof columns> {}

export const paymentBatches = defineTable<PaymentBatch>("payment_batches", columns, {
  metadataOf: ({ metadata }) => metadata,
  counted: countedBy<PaymentBatch>(statusFacet),
});

export const findPaymentBatch = finderOf(paymentBatches);
export const listPaymentBatches = listerOf(paymentBatches);

export const itemKinds = ["TRANSFER_OUT", "BOOK"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** The states of a stored item. An item that waits in a cancelled batch is shown as CANCELLED. */
export type ItemStatus = "WAITING" | "CREATED" | "REFUSED";

/** The optional members of an item. */
export type ItemTerms = {
  readonly paymentRail?: string;
  readonly remittanceInformation?: string;
  readonly description?: string;
  readonly metadata?: Metadata;
};

const itemColumns = {
  id: fixed("uuid"),
  batchId: fixed("uuid"),
  /** The place in the batch, from 0. */
  position: fixed("int4"),
  reference: fixed("text"),
  kind: fixed<ItemKind>("text"),
  /** An internal account. */
  sourceId: fixed("uuid"),
  /** An external account, or an internal one for BOOK. */
  destinationId: fixed("uuid"),
  amountMinor: fixed("int8"),
  terms: fixed<ItemTerms | null>("json"),
  status: mutable<ItemStatus>("text"),
  transactionId: mutable<string | null>("uuid"),
  error: mutable<ItemError | null>("json"),
};

export interface BatchItem extends RowOf<typeof itemColumns> {}

export const batchItems = defineTable<BatchItem>("payment_batch_items", itemColumns, {
  isFinal: ({ status }) => status !== "WAITING",
});

/** The statuses of items as the API shows them. */
export const shownStatuses = ["WAITING", "CREATED", "REFUSED", "CANCELLED"] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** An item of a cancelled batch that waits is CANCELLED, because cancelling writes the batch alone. */
export function shownStatus(
  { status }: Pick<PaymentBatch, "status">,
  item: Pick<BatchItem, "status">,
): ShownStatus {
  return item.status === "WAITING" && status === "CANCELLED" ? "CANCELLED" : item.status;
}

/** The item as it was sent. */
export type NewItem = Pick<
  BatchItem,
  "reference" | "kind" | "sourceId" | "destinationId" | "amountMinor" | "terms"
>;

export function errorOf({ code, message, details }: Refusal): ItemError {
  return { code, message, ...(details === undefined ? {} : { details }) };
}

export function toPaymentBatchId(id: string): string {
  return toWireId("PaymentBatch", id);
}

export function hasEnded({ status }: Pick<PaymentBatch, "status">): boolean {
  return status === "COMPLETED" || status === "CANCELLED";
}

/** How many items have neither run nor been cancelled. */
export function waitingIn(batch: PaymentBatch): number {
  return batch.status === "CANCELLED" ? 0 : batch.total - batch.accepted - batch.refused;
}

export function cancelledIn(batch: PaymentBatch): number {
  return batch.status === "CANCELLED" ? batch.total - batch.accepted - batch.refused : 0;
}

/** The members by which the transaction of an item names its batch. */
export function membersOf({ batchId, reference }: BatchItem): BatchMembers {
  return { batchId: toPaymentBatchId(batchId), batchReference: reference };
}

export interface PaymentBatchSubject {
  readonly kind: "PaymentBatch";
  readonly id: string;
  readonly batch: PaymentBatch;
}

/** Stores a batch in whose items nothing waits any more, cancels its job and emits its event. */
export function endBatch(world: World, batch: PaymentBatch): PaymentBatch {
  if (batch.jobId !== null) world.cancel(batch.jobId);
  const ended = world.put(paymentBatches, {
    ...batch,
    jobId: null,
    updatedAt: world.at,
    completedAt: world.at,
  });
  const subject: PaymentBatchSubject = {
    kind: "PaymentBatch",
    id: toPaymentBatchId(ended.id),
    batch: ended,
  };
  world.emit("PAYMENT_BATCH.COMPLETED", subject);
  return ended;
}
