/** Transfers and refunds as orders: their inputs from validated bodies, when they are requested and when they are carried out. */

import Type, { type Static } from "typebox";
import { metadataOf } from "../../../domain/metadata.ts";
import { incomingRefundReasons } from "../../../domain/payments/transactions/incoming-refund.ts";
import type { Transaction } from "../../../domain/payments/transactions/transaction.ts";
import {
  type BookLegsInput,
  bookLegs,
  ofLeg,
} from "../../../domain/payments/transfers/book-legs.ts";
import {
  type BookTransferInput,
  bookTransfer,
  noBookAccount,
} from "../../../domain/payments/transfers/book-transfer.ts";
import {
  type RefundIncomingInput,
  refundIncoming,
} from "../../../domain/payments/transfers/refund-incoming.ts";
import {
  type TransferInInput,
  transferIn,
} from "../../../domain/payments/transfers/transfer-in.ts";
import {
  type TransferOutInput,
  transferOut,
} from "../../../domain/payments/transfers/transfer-out.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import {
  legsFacts,
  paymentFacts,
  transactionResult,
} from "../../../domain/people/approvals/payment-orders.ts";
import { present } from "../../../std/assert.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { parseId, requireId } from "../../../wire/ids.ts";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import type { Services } from "../../request/services.ts";
import {
  type BookedLeg,
  type BookedLegs,
  requireAccounts,
  transferOutFields,
} from "./transfer-body.ts";

type Rails = Pick<Services, "rails">;

export const TransferContent = Type.Object({
  ...transferOutFields,
  description: descriptionField,
  metadata: Type.Optional(MetadataSchema),
  remittanceInformation: Type.Optional(Type.String({ maxLength: 80 })),
});
type TransferContent = Static<typeof TransferContent>;

export function transferOutInput(body: TransferContent, { rails }: Rails): TransferOutInput {
  return {
    ...requireAccounts(body, "OUTGOING"),
    amountMinor: BigInt(body.amount),
    description: body.description,
    metadata: metadataOf(body.metadata),
    rails,
    paymentRail: body.destination.paymentRail,
    remittanceInformation: body.remittanceInformation,
  };
}

export function transferInInput(body: TransferContent, { rails }: Rails): TransferInInput {
  return {
    ...requireAccounts(body, "INCOMING"),
    amountMinor: BigInt(body.amount),
    description: body.description,
    metadata: metadataOf(body.metadata),
    rails,
  };
}

export function bookTransferInput(body: BookedLeg, leg?: number): BookTransferInput {
  return {
    sourceId: requireInternal("source", body.source.accountId, leg),
    destinationId: requireInternal("destination", body.destination.accountId, leg),
    amountMinor: BigInt(body.amount),
    description: body.description,
    metadata: metadataOf(body.metadata),
  };
}

export function bookLegsInput({ legs }: BookedLegs): BookLegsInput {
  return { legs: legs.map((leg, place) => bookTransferInput(leg, place)) };
}

function requireInternal(
  side: "source" | "destination",
  wireId: string,
  leg: number | undefined,
): string {
  const id = parseId("InternalAccount", wireId);
  if (id !== undefined) return id;
  const refusal = noBookAccount(side, wireId);
  throw leg === undefined ? refusal : ofLeg(refusal, leg);
}

export const RefundContent = Type.Object({
  transactionId: Type.String(),
  amount: Type.Optional(requestAmount()),
  reason: Type.Enum([...incomingRefundReasons]),
  note: descriptionField,
});

export function refundInput(
  body: Static<typeof RefundContent>,
  { rails }: Rails,
): RefundIncomingInput {
  return {
    transactionId: requireId("Transaction", body.transactionId, "TRANSACTION_NOT_FOUND"),
    amountMinor: body.amount === undefined ? undefined : BigInt(body.amount),
    reason: body.reason,
    note: body.note,
    rails,
  };
}

type PaymentOrder<Input> = HoldableOrder<Input, Transaction>;

export const transferOutOrder: PaymentOrder<TransferOutInput> = {
  kind: "PAYMENT",
  act: "transferOut",
  command: transferOut,
  factsOf: paymentFacts("Transfer out"),
  resultOf: transactionResult,
};

export const transferInOrder: PaymentOrder<TransferInInput> = {
  kind: "PAYMENT",
  act: "transferIn",
  command: transferIn,
  factsOf: paymentFacts("Transfer in"),
  resultOf: transactionResult,
};

export const bookTransferOrder: PaymentOrder<BookTransferInput> = {
  kind: "PAYMENT",
  act: "createTransfer",
  command: bookTransfer,
  factsOf: paymentFacts("Book transfer"),
  resultOf: transactionResult,
};

/** Judged by what all legs move together, so that a payment in parts waits where the whole would. */
export function bookLegsOrder(
  input: BookLegsInput,
): HoldableOrder<BookLegsInput, readonly Transaction[]> {
  return {
    kind: "PAYMENT",
    act: "createTransfer",
    command: bookLegs(input),
    factsOf: legsFacts,
    resultOf: ([first]) => transactionResult(present(first, "the first leg")),
  };
}

export const refundOrder: PaymentOrder<RefundIncomingInput> = {
  kind: "PAYMENT",
  act: "refundTransaction",
  command: refundIncoming,
  factsOf: paymentFacts("Refund"),
  resultOf: transactionResult,
};
