/** An ALL_OR_NOTHING batch is paid in one commit. */
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { payItem } from "./batch-item.ts";
import { type BatchItem, batchItems, endBatch, type PaymentBatch } from "./payment-batch.ts";

interface Items {
  readonly items: readonly BatchItem[];
  readonly rails: RailRulesOf;
  /** How the message of a refusal names the item. */
  readonly nameOf: (item: BatchItem) => string;
}

/** Makes every payment and ends the batch, or throws the refusal of the first item that cannot be paid: the caller undoes the others. */
export function payAll(
  world: World,
  batch: PaymentBatch,
  { items, rails, nameOf }: Items,
): PaymentBatch {
  let [completed, failed] = [0, 0];
  for (const item of items) {
    const { id, status } = payOrNameItem(world, item, { rails, nameOf });
    if (status === "COMPLETED") completed += 1;
    if (status === "FAILED") failed += 1;
    world.put(batchItems, { ...item, status: "CREATED", transactionId: id });
  }
  const { total: accepted, lastItemId: ranItemId } = batch;
  return endBatch(world, {
    ...batch,
    status: "COMPLETED",
    ranItemId,
    accepted,
    completed,
    failed,
  });
}

/** The refusal of an item says which one it is. */
function payOrNameItem(world: World, item: BatchItem, { rails, nameOf }: Omit<Items, "items">) {
  try {
    return payItem(world, item, rails);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { position: index, reference } = item;
    const details = { ...thrown.details, index, reference };
    throw new Refusal(thrown.code, details, `${nameOf(item)}: ${thrown.message}`);
  }
}
