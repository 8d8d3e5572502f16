import Type, { type Static } from "typebox";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import {
  receiveUmaPayment as command,
  type ReceiveUmaPaymentInput,
} from "../../../domain/sandbox/receive-uma-payment.ts";
import { findCustomerAt } from "../../../domain/uma/receiver.sql.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import type { Reads } from "../../../storage/database.ts";
import { requireId } from "../../ids.ts";
import { defineOperation } from "../../operation.ts";
import { requestAmount } from "../../schema.ts";
import type { Services } from "../../services.ts";
import {
  incomingTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../wire/transaction.ts";
import { badUmaAddress, umaAddressField } from "../../wire/uma-address.ts";

const Body = Type.Object({
  senderUmaAddress: umaAddressField("A counterparty at the platform's sandbox UMA domain."),
  receiverUmaAddress: Type.Optional(umaAddressField("The customer who is paid; or `customerId`.")),
  customerId: Type.Optional(
    Type.String({ description: "The customer who is paid; or `receiverUmaAddress`." }),
  ),
  receivingCurrencyCode: Type.String({ minLength: 1, maxLength: 16 }),
  receivingCurrencyAmount: requestAmount(),
});

export const receiveUmaPayment = defineOperation({
  id: "receiveUmaPayment",
  method: "POST",
  path: "/sandbox/uma/receive",
  access: "TRANSACT",
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Have a counterparty pay a customer",
  description:
    "The platform is asked by an `INCOMING_PAYMENT.PENDING` webhook whether it takes the payment, and has five seconds to say so.",
  body: Body,
  requestExample: {
    senderUmaAddress: "$success.usd@sandbox.florin.test",
    receiverUmaAddress: "$ana@florin.test",
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: 5_000,
  },
  answers: {
    200: {
      description: "The transaction as the platform is asked about it.",
      schema: TransactionSchema,
      example: incomingTransactionExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_UMA_ADDRESS",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "FORBIDDEN",
    "USER_NOT_READY",
    "UMA_NOT_FOUND",
    "USER_NOT_FOUND",
    "CUSTOMER_DELETED",
  ],
  async handle({ principal, body, idempotency }, { engine, reads }: Services) {
    const { platformId, tokenId } = principal;
    const payment = readPayment(body);
    const receiver = await receiverOf(reads, platformId, body);
    return engine.submit({
      platformId,
      actor: { kind: "token", id: tokenId },
      command,
      input: { ...payment, receiver },
      toAnswer: (transaction) => ({
        status: 200,
        body: transactionJson(transaction, platformId),
      }),
      idempotency,
    });
  },
});

/** Refuses, in this order: no receiver or two, addresses that are not well formed, an unknown currency. */
function readPayment(body: Static<typeof Body>) {
  const { receiverUmaAddress, customerId } = body;
  if ((receiverUmaAddress === undefined) === (customerId === undefined)) {
    const message = "exactly one of receiverUmaAddress and customerId must be given";
    const fields = ["receiverUmaAddress", "customerId"];
    throw invalidFields(fields.map((field) => ({ field, message })));
  }
  const errors: FieldError[] = [];
  const senderUmaAddress = normalizeUmaAddress(body.senderUmaAddress);
  if (senderUmaAddress === undefined) errors.push(badUmaAddress("senderUmaAddress"));
  if (receiverUmaAddress !== undefined && normalizeUmaAddress(receiverUmaAddress) === undefined) {
    errors.push(badUmaAddress("receiverUmaAddress"));
  }
  if (senderUmaAddress === undefined || errors.length > 0) {
    throw invalidFields(errors, "INVALID_UMA_ADDRESS");
  }
  const currency = body.receivingCurrencyCode;
  if (!isCurrencyCode(currency)) throw new Refusal("INVALID_CURRENCY", { currency });
  return { senderUmaAddress, currency, amountMinor: BigInt(body.receivingCurrencyAmount) };
}

/** The receiver that a sound body names. Who lives at an address is looked up before the command, which judges it. */
async function receiverOf(
  reads: Reads,
  platformId: string,
  { receiverUmaAddress, customerId = "" }: Static<typeof Body>,
): Promise<ReceiveUmaPaymentInput["receiver"]> {
  const umaAddress =
    receiverUmaAddress === undefined ? undefined : normalizeUmaAddress(receiverUmaAddress);
  if (umaAddress === undefined) {
    return { kind: "customer", customerId: requireId("Customer", customerId, "USER_NOT_FOUND") };
  }
  const customer = await findCustomerAt(reads, platformId, umaAddress);
  return { kind: "address", umaAddress, customerId: customer?.id };
}
