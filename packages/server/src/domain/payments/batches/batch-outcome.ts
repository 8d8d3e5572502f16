/** Counts how the payments of a batch end, in the commit in which they end. A payment of no batch costs one look at its details. */
import type { World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { batchOf } from "../transactions/batch-members.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { paymentBatches } from "./payment-batch.ts";

/** The row of the transaction's batch. */
export function batchNeeds(transaction: Transaction): readonly AnyRef[] {
  const batchId = batchOf(transaction);
  return batchId === undefined ? NONE : [paymentBatches.ref(batchId)];
}

const NONE: readonly AnyRef[] = [];

/** Counts a payment that has completed or failed. `was` is its status before; the command's needs list `batchNeeds`. */
export function countOutcome(
  world: World,
  transaction: Transaction,
  was: Transaction["status"],
): void {
  const batchId = batchOf(transaction);
  if (batchId === undefined) return;
  const batch = world.get(paymentBatches.ref(batchId));
  const now = { [was]: -1, [transaction.status]: 1 };
  world.put(paymentBatches, {
    ...batch,
    completed: batch.completed + (now.COMPLETED ?? 0),
    failed: batch.failed + (now.FAILED ?? 0),
    updatedAt: world.at,
  });
}
