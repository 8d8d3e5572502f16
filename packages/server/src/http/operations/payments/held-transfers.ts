/** Transfers and refunds as orders: their inputs from validated bodies, when they are requested and when they are carried out. */

import Type, { type Static } from "typebox";
import { metadataOf } from "../../../domain/metadata.ts";
import { incomingRefundReasons } from "../../../domain/payments/transactions/incoming-refund.ts";
import type { Transaction } from "../../../domain/payments/transactions/transaction.ts";
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
  paymentFacts,
  transactionResult,
} from "../../../domain/people/approvals/payment-orders.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { parseId, requireId } from "../../../wire/ids.ts";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import type { Services } from "../../request/services.ts";
import { requireAccounts, transferOutFields } from "./transfer-body.ts";

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

export function bookTransferInput(body: TransferContent): BookTransferInput {
  return {
    sourceId: requireInternal("source", body.source.accountId),
    destinationId: requireInternal("destination", body.destination.accountId),
    amountMinor: BigInt(body.amount),
    description: body.description,
    metadata: metadataOf(body.metadata),
  };
}

function requireInternal(side: "source" | "destination", wireId: string): string {
  const id = parseId("InternalAccount", wireId);
  if (id === undefined) throw noBookAccount(side, wireId);
  return id;
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

export const refundOrder: PaymentOrder<RefundIncomingInput> = {
  kind: "PAYMENT",
  act: "refundTransaction",
  command: refundIncoming,
  factsOf: paymentFacts("Refund"),
  resultOf: transactionResult,
};
