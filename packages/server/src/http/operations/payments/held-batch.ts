/** A batch of payments as an order that may wait for other people. */
import Type from "typebox";
import {
  type CreateBatchInput,
  createBatch,
} from "../../../domain/payments/batches/create-batch.ts";
import {
  type PaymentBatch,
  toPaymentBatchId,
} from "../../../domain/payments/batches/payment-batch.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import { amountText } from "../../../domain/people/approvals/payment-orders.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { PaymentBatchBody } from "./batch-body.ts";

/** The items are a part of the order that people agree to, so they are fixed by its digest. */
export const HeldBatchContent = Type.Object(PaymentBatchBody.properties);

/** An order of people is shown, stored and carried out as a whole. */
export const MOST_HELD_ITEMS = 2_000;

/** One amount decides how many people have to agree, so a batch that waits has one currency. */
export const batchOrder: HoldableOrder<CreateBatchInput, PaymentBatch> = {
  kind: "PAYMENT",
  act: "createPaymentBatch",
  command: createBatch,
  factsOf({ currencyTotals, total }) {
    const [only, ...others] = currencyTotals;
    if (others.length > 0) {
      const named = currencyTotals.map(({ currency }) => currency).join(", ");
      throw invalidField("items", `are in ${named}; a batch of a person has one currency`);
    }
    const count = `${total} ${total === 1 ? "payment" : "payments"}`;
    if (only === undefined) return { summary: `Batch of ${count}` };
    const minor = BigInt(only.sumMinor);
    const summary = `Batch of ${count}, ${amountText(minor, only.currency)}`;
    return { summary, amount: { currency: only.currency, minor } };
  },
  resultOf: ({ id }) => toPaymentBatchId(id),
};
