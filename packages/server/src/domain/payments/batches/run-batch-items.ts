import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { type FundsNeed, fundsNeeds, refuseShortfalls } from "./batch-funds.ts";
import { itemNeeds, payItem } from "./batch-item.ts";
import { payAll } from "./pay-all.ts";
import {
  type BatchItem,
  batchItems,
  endBatch,
  errorOf,
  hasEnded,
  type PaymentBatch,
  paymentBatches,
} from "./payment-batch.ts";

export interface RunItemsInput {
  readonly batchId: string;
  /** How many items have run before these. */
  readonly from: number;
  /** The next items, in their order. */
  readonly itemIds: readonly string[];
  /** What all items need, with the first ones of a batch that requires funds. */
  readonly funds?: readonly FundsNeed[];
  readonly rails: RailRulesOf;
}

/**
 * Runs the next items of a batch: each becomes a payment, or is refused with what the single call would have answered. A refused item
 * stops no other. Of an ALL_OR_NOTHING batch all items run, and one that is refused cancels the batch; so does too low a balance before the
 * first item of a batch that requires funds. Refuses with CONFLICT a batch that has ended or is not at these items, because another worker
 * has been there, and one whose time has not come.
 */
export const runBatchItems: Command<RunItemsInput, PaymentBatch> = {
  name: "run-payment-batch-items",
  isLarge: true,
  needs: (world, { batchId, itemIds, funds = [] }) => [
    paymentBatches.ref(batchId),
    ...fundsNeeds(funds.map(({ accountId }) => accountId)),
    ...itemIds.flatMap((id) => needsOf(world, id)),
  ],
  decide(world, { batchId, from, itemIds, funds, rails }) {
    const batch = world.get(paymentBatches.ref(batchId));
    if (hasEnded(batch) || batch.accepted + batch.refused !== from) throw movedOn(batch);
    if (world.at < (batch.scheduledFor ?? 0)) throw tooEarly(batch);
    const items = itemIds.map((id) => world.get(batchItems.ref(id)));
    const isAll = batch.mode === "ALL_OR_NOTHING";
    const outcome = world.attempt(() => {
      if (batch.requiresFunds === true && from === 0)
        refuseShortfalls(world, present(funds, "what the items of a batch need"));
      return isAll ? payAll(world, batch, { items, rails, nameOf }) : undefined;
    });
    if (outcome instanceof Refusal)
      return endBatch(world, { ...batch, status: "CANCELLED", error: errorOf(outcome) });
    return outcome ?? runGroup(world, batch, { items, rails });
  },
};

/** Without the item's reference, which may be about a person: the error of a batch is read by many. */
function nameOf({ position }: BatchItem): string {
  return `items[${position}]`;
}

function tooEarly({ status, scheduledFor }: PaymentBatch): Refusal {
  const message = `The batch is scheduled for ${toIso(scheduledFor ?? 0)}.`;
  return new Refusal("CONFLICT", { status }, message);
}

/** Runs the items and counts them in their batch, which ends with its last item. */
function runGroup(
  world: World,
  batch: PaymentBatch,
  { items, rails }: { readonly items: readonly BatchItem[]; readonly rails: RailRulesOf },
): PaymentBatch {
  let { accepted, refused, completed, failed } = batch;
  for (const item of items) {
    const outcome = runItem(world, item, rails);
    if (outcome === undefined) refused += 1;
    else accepted += 1;
    if (outcome === "COMPLETED") completed += 1;
    if (outcome === "FAILED") failed += 1;
  }
  const ranItemId = present(items.at(-1), "the last item that ran").id;
  const counted = { ...batch, ranItemId, accepted, refused, completed, failed };
  if (accepted + refused === batch.total)
    return endBatch(world, { ...counted, status: "COMPLETED" });
  return world.put(paymentBatches, { ...counted, status: "PROCESSING", updatedAt: world.at });
}

function needsOf(world: Loaded, id: string): readonly AnyRef[] {
  const ref = batchItems.ref(id);
  const item = world.find(ref);
  return item === undefined ? [ref] : [ref, ...itemNeeds(world, item)];
}

/** The status of the payment that was made; undefined for a refused item. */
function runItem(world: World, item: BatchItem, rails: RailRulesOf) {
  const outcome = world.attempt(() => payItem(world, item, rails));
  if (outcome instanceof Refusal) {
    world.put(batchItems, { ...item, status: "REFUSED", error: errorOf(outcome) });
    return undefined;
  }
  world.put(batchItems, { ...item, status: "CREATED", transactionId: outcome.id });
  return outcome.status;
}

function movedOn({ status, accepted, refused }: PaymentBatch): Refusal {
  const message = `The batch is ${status} with ${accepted + refused} items run; another worker has been here since.`;
  return new Refusal("CONFLICT", { status }, message);
}
