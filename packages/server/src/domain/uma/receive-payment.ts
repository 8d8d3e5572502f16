import type { Command, Loaded, World } from "../../engine/command.ts";
import { type AnyRef, defineLookup } from "../../tables/tables.ts";
import type { CustomerInfo, RequestedField } from "../customers/customer-info.ts";
import { type Transaction, transactions } from "../payments/transactions/transaction.ts";
import { announcementNeeds, announcePayment } from "./announce-payment.ts";
import type { ApprovedOutcome } from "./payment-approval.ts";

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
 * Receives a payment from a platform of this deployment and asks the receiver's platform for approval. The sender's
 * side retries until it gets an answer; a payment that exists is not created again. Refuses whatever `announcePayment`
 * lists.
 */
export const receivePayment: Command<ReceivePaymentInput, Transaction> = {
  name: "take-in-payment",
  needs: receivingNeeds,
  decide: (world, input) => takeInPayment(world, input, { kind: "succeeds" }),
};

export function receivingNeeds(world: Loaded, input: ReceivePaymentInput): readonly AnyRef[] {
  return [byReference.of(input.reference), ...announcementNeeds(world, orderOf(input))];
}

/** A payment that is known under its reference is answered as it is. */
export function takeInPayment(
  world: World,
  input: ReceivePaymentInput,
  outcome: ApprovedOutcome,
): Transaction {
  const [known] = world.all(byReference.of(input.reference));
  if (known !== undefined) return known;
  const { sender, reference } = input;
  return announcePayment(world, orderOf(input), { sender, reference, outcome });
}

function orderOf({ receiver, currency, amountMinor }: ReceivePaymentInput) {
  return { receiver: { kind: "address", ...receiver }, currency, amountMinor } as const;
}
