import Type, { type Static } from "typebox";
import { normalizeUmaAddress } from "../../../../domain/customers/uma-address.ts";
import {
  receiveUmaPayment as command,
  type ReceiveUmaPaymentInput,
} from "../../../../domain/platforms/sandbox/receive-uma-payment.ts";
import { findCustomerAt } from "../../../../domain/uma/receiver.sql.ts";
import { type CodedFault, invalid } from "../../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../../money/currency.ts";
import type { Reads } from "../../../../postgres/database.ts";
import { present } from "../../../../std/assert.ts";
import type { JsonObject } from "../../../../std/json.ts";
import { requestAmount } from "../../../../validation/schema.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { judgementOf } from "../../../../validation/validation.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import {
  incomingTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import {
  isNoUmaAddress,
  umaAddressFault,
  umaAddressField,
} from "../../../../wire/uma/uma-address.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

const Body = Type.Object({
  senderUmaAddress: umaAddressField("A counterparty at the platform's sandbox UMA domain."),
  receiverUmaAddress: Type.Optional(umaAddressField("The customer who is paid; or `customerId`.")),
  customerId: Type.Optional(
    Type.String({ description: "The customer who is paid; or `receiverUmaAddress`." }),
  ),
  receivingCurrencyCode: currencyField(),
  receivingCurrencyAmount: requestAmount(),
});

export const receiveUmaPayment = defineOperation({
  id: "receiveUmaPayment",
  method: "POST",
  path: "/sandbox/uma/receive",
  access: "TRANSACT",
  capability: "sandbox.use",
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Simulate an incoming UMA payment",
  description:
    "Has a counterparty pay a customer. " +
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
    "CUSTOMER_FROZEN",
    "UMA_NOT_FOUND",
    "USER_NOT_FOUND",
    "CUSTOMER_DELETED",
  ],
  judge: judgePayment,
  async handle({ principal, body, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const receiver = await receiverOf(reads, platformId, body);
    return submitForCaller(engine, principal, {
      command,
      input: {
        senderUmaAddress: present(normalizeUmaAddress(body.senderUmaAddress), "a judged address"),
        currency: body.receivingCurrencyCode,
        amountMinor: BigInt(body.receivingCurrencyAmount),
        receiver,
      },
      toAnswer: (transaction) => ({
        status: 200,
        body: transactionJson(transaction, platformId),
      }),
      idempotency,
    });
  },
});

/** Checks that there is one receiver, that addresses are well formed, and that the currency is known. */
function judgePayment(body: JsonObject): Judgement<undefined> {
  const { senderUmaAddress, receiverUmaAddress, customerId, receivingCurrencyCode: code } = body;
  const faults: CodedFault[] = [];
  if (isNoUmaAddress(senderUmaAddress)) faults.push(umaAddressFault("senderUmaAddress"));
  if ((receiverUmaAddress === undefined) === (customerId === undefined)) {
    const message = "exactly one of receiverUmaAddress and customerId must be given";
    faults.push(invalid("receiverUmaAddress", message), invalid("customerId", message));
  } else if (isNoUmaAddress(receiverUmaAddress)) {
    faults.push(umaAddressFault("receiverUmaAddress"));
  }
  if (typeof code === "string" && !isCurrencyCode(code)) {
    const error = { field: "receivingCurrencyCode", message: "is not a known currency" };
    faults.push({ code: "INVALID_CURRENCY", error });
  }
  return judgementOf(faults);
}

/**
 * The receiver that a valid body names. The holder of a UMA address is looked up here; the command checks the result.
 */
async function receiverOf(
  reads: Reads,
  platformId: string,
  { receiverUmaAddress, customerId = "" }: Static<typeof Body>,
): Promise<ReceiveUmaPaymentInput["receiver"]> {
  const umaAddress =
    receiverUmaAddress === undefined ? undefined : normalizeUmaAddress(receiverUmaAddress);
  if (umaAddress === undefined) {
    return {
      kind: "customer",
      customerId: requireIdField(
        "Customer",
        { field: "customerId", raw: customerId },
        "USER_NOT_FOUND",
      ),
    };
  }
  const customer = await findCustomerAt(reads, platformId, umaAddress);
  return { kind: "address", umaAddress, customerId: customer?.id };
}
