import type { Command } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { endBatch, hasEnded, type PaymentBatch, paymentBatches } from "./payment-batch.ts";

/**
 * Cancels the items that have not run; payments that were made go on. Refuses, in this order: an unknown batch, one that has ended.
 */
export const cancelBatch: Command<{ readonly batchId: string }, PaymentBatch> = {
  name: "cancel-payment-batch",
  needs: (_, { batchId }) => [paymentBatches.ref(batchId)],
  decide(world, { batchId }) {
    const batch = world.find(paymentBatches.ref(batchId));
    if (batch === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    if (hasEnded(batch)) {
      const { status } = batch;
      const needed = "PENDING or PROCESSING";
      throw wrongState({ object: "batch", status, needed, action: "cancelled" });
    }
    return endBatch(world, { ...batch, status: "CANCELLED" });
  },
};
