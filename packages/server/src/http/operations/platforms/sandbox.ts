import Type, { type Static } from "typebox";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { fundQuote } from "../../../domain/payments/quotes/fund-quote.ts";
import { advanceClock as advanceClockCommand } from "../../../domain/platforms/sandbox/advance-clock.ts";
import { fundInternalAccount as fundInternalAccountCommand } from "../../../domain/platforms/sandbox/fund-internal-account.ts";
import {
  type ReceiveUmaPaymentInput,
  receiveUmaPayment as receiveUmaPaymentCommand,
} from "../../../domain/platforms/sandbox/receive-uma-payment.ts";
import { findCustomerAt } from "../../../domain/uma/receiver.sql.ts";
import { type CodedFault, invalid, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import type { Reads } from "../../../postgres/database.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { currencyField, DateTimeSchema } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import {
  incomingTransactionExample,
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../wire/payments/transaction.ts";
import { isNoUmaAddress, umaAddressFault, umaAddressField } from "../../../wire/uma/uma-address.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { collectionEvents, executionEvents } from "../event-lists.ts";

const fundInternalAccount = defineOperation({
  id: "fundInternalAccount",
  ...route("POST /sandbox/internal-accounts/{accountId}/fund", "TRANSACT", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Fund an internal account",
  description: "Puts sandbox money into an internal account.",
  params: Type.Object({ accountId: pathId("InternalAccount") }),
  body: Type.Object({ amount: requestAmount({ maximum: 100_000_000_000 }) }),
  requestExample: { amount: 100_000 },
  answers: {
    200: {
      description: "The account with its new balance.",
      schema: InternalAccountSchema,
      example: internalAccountExample,
    },
  },
  events: ["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "FORBIDDEN",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
  ],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: fundInternalAccountCommand,
      input: {
        accountId: requireId("InternalAccount", params.accountId, "REFERENCE_NOT_FOUND"),
        amountMinor: BigInt(body.amount),
      },
      toAnswer: (funded) => ({ status: 200, body: internalAccountJson(funded) }),
      idempotency,
    }),
});

const sendSandboxFunds = defineOperation({
  id: "sendSandboxFunds",
  ...route("POST /sandbox/send", "TRANSACT", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Fund a quote",
  description:
    "Follows the payment instructions of a quote. " +
    "As if the payer had sent the money. Another amount than the quote's total fails the payment, and the money goes back.",
  body: Type.Object({
    quoteId: Type.String(),
    currencyCode: currencyField({ description: "The currency of the quote's funding." }),
    currencyAmount: Type.Optional(
      requestAmount({ description: "What is sent; the quote's total when absent." }),
    ),
  }),
  requestExample: { quoteId: "Quote:019a4f00-0000-7000-8000-000000000007", currencyCode: "USD" },
  answers: {
    200: {
      description: "The transaction of the quote.",
      schema: TransactionSchema,
      example: { ...transactionExample, status: "PROCESSING" },
    },
  },
  events: executionEvents,
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "INVALID_CURRENCY",
    "FORBIDDEN",
    "QUOTE_NOT_FOUND",
    "CONFLICT",
    "QUOTE_EXPIRED",
  ],
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: fundQuote,
      input: {
        quoteId: requireIdField(
          "Quote",
          { field: "quoteId", raw: body.quoteId },
          "QUOTE_NOT_FOUND",
        ),
        currency: body.currencyCode,
        minor: body.currencyAmount === undefined ? undefined : BigInt(body.currencyAmount),
      },
      toAnswer: (transaction) => ({
        status: 200,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    }),
});

const Body = Type.Object({
  senderUmaAddress: umaAddressField("A counterparty at the platform's sandbox UMA domain."),
  receiverUmaAddress: Type.Optional(umaAddressField("The customer who is paid; or `customerId`.")),
  customerId: Type.Optional(
    Type.String({ description: "The customer who is paid; or `receiverUmaAddress`." }),
  ),
  receivingCurrencyCode: currencyField(),
  receivingCurrencyAmount: requestAmount(),
});

const receiveUmaPayment = defineOperation({
  id: "receiveUmaPayment",
  ...route("POST /sandbox/uma/receive", "TRANSACT", "sandbox.use"),
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
  events: collectionEvents,
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
      command: receiveUmaPaymentCommand,
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

const advanceClock = defineOperation({
  id: "advanceClock",
  ...route("POST /sandbox/clock/advance", "TRANSACT", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Advance the sandbox clock",
  description:
    "Everything that is due by then has happened when the answer comes, but for what failed ten times in a row and is tried again. After a 503 the clock may have moved all the same, " +
    "and what was due is still being done: `GET /sandbox/clock` tells, and a repeat under the same `Idempotency-Key` does not " +
    "move it again. The clock goes as far as the year 9000.",
  body: Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: 2_592_000 }) }),
  requestExample: { seconds: 30 },
  answers: {
    200: {
      description: "The platform's time.",
      schema: Type.Object({ now: DateTimeSchema }),
      example: { now: "2026-11-21T10:00:30.000Z" },
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const answered = await submitForCaller(services.engine, principal, {
      command: advanceClockCommand,
      input: { seconds: body.seconds },
      toAnswer: ({ now }) => ({ status: 200, body: JSON.stringify({ now: toIso(now) }) }),
      idempotency,
    });
    if (answered.status === 200) await services.runDueJobs(principal.platformId);
    return answered;
  },
});

const getClock = defineOperation({
  id: "getClock",
  ...route("GET /sandbox/clock", "VIEW", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Get the sandbox clock",
  answers: {
    200: {
      description: "The platform's time.",
      schema: Type.Object({ now: DateTimeSchema }),
      example: { now: "2026-11-21T10:00:00.000Z" },
    },
  },
  refusals: ["FORBIDDEN"],
  async handle({ principal }, services: Services) {
    const now = await platformTime(services, principal.platformId);
    return { status: 200, body: JSON.stringify({ now: toIso(now) }) };
  },
});

const testWebhook = defineOperation({
  id: "testWebhook",
  ...route("POST /sandbox/webhooks/test", "MANAGE", "webhooks.write"),
  sandboxOnly: true,
  ignoresKey: true,
  tag: "Sandbox",
  summary: "Test the webhook endpoint",
  description:
    "The answer comes when the endpoint has answered. A TEST event is not sent again, but each call sends one: an " +
    "`Idempotency-Key` means nothing here.",
  answers: {
    200: {
      description: "What the endpoint answered.",
      schema: Type.Object({
        url: Type.Optional(Type.String()),
        response_status: Type.Integer(),
        response_body: Type.Optional(Type.String()),
      }),
      example: {
        url: "https://platform.example/webhooks",
        response_status: 200,
        response_body: "ok",
      },
    },
  },
  events: ["TEST"],
  refusals: ["WEBHOOK_ENDPOINT_NOT_SET", "WEBHOOK_DELIVERY_ERROR", "FORBIDDEN"],
  async handle({ principal }, services: Services) {
    const outcome = await services.testWebhook(principal.platformId);
    switch (outcome.kind) {
      case "no-endpoint":
        throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET");
      case "failed":
        throw new Refusal("WEBHOOK_DELIVERY_ERROR", { reason: outcome.reason }, outcome.reason);
      case "answered": {
        const { url, status, body } = outcome;
        return {
          status: 200,
          body: JSON.stringify({ url, response_status: status, response_body: body }),
        };
      }
    }
  },
});

export const sandboxOperations = [
  fundInternalAccount,
  sendSandboxFunds,
  receiveUmaPayment,
  advanceClock,
  getClock,
  testWebhook,
];
