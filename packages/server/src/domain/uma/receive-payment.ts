import type { Command } from "../../engine/command.ts";
import { defineLookup } from "../../tables/tables.ts";
import type { CustomerInfo, RequestedField } from "../customers/customer-info.ts";
import { type Transaction, transactions } from "../payments/transactions/transaction.ts";
import { announcementNeeds, announcePayment } from "./announce-payment.ts";

export interface ReceivePaymentInput {
  /** `umaReference` of the sender's transaction. */
  readonly reference: string;
  readonly sender: {
    readonly umaAddress: string;
    readonly information: CustomerInfo;
    readonly requestedFields: readonly RequestedField[];
  };
  /** The customer at the address; undefined when there is none. */
  readonly receiver: { readonly umaAddress: string; readonly customerId: string | undefined };
  readonly currency: string;
  readonly amountMinor: bigint;
}

const byReference = defineLookup(transactions, { by: "reference" });

/**
 * Receives a payment from another platform of this deployment and asks the receiver's platform for approval. The sender's
 * side retries until it gets an answer; a payment that exists is not created again. Refuses whatever `announcePayment`
 * lists.
 */
export const receivePayment: Command<ReceivePaymentInput, Transaction> = {
  name: "take-in-payment",
  needs: (world, input) => [
    byReference.of(input.reference),
    ...announcementNeeds(world, orderOf(input)),
  ],
  decide(world, input) {
    const [known] = world.all(byReference.of(input.reference));
    if (known !== undefined) return known;
    const { sender, reference } = input;
    return announcePayment(world, orderOf(input), {
      sender,
      reference,
      outcome: { kind: "succeeds" },
    });
  },
};

function orderOf({ receiver, currency, amountMinor }: ReceivePaymentInput) {
  return { receiver: { kind: "address", ...receiver }, currency, amountMinor } as const;
}
