/** What a sandbox provokes of other institutions at UMA: money for an invoice that does not fit, and answers with a fault. */
import Type from "typebox";
import {
  invoiceOutcomes,
  payUmaInvoice,
} from "../../../domain/platforms/sandbox/pay-uma-invoice.ts";
import {
  findSandboxFault,
  MOST_FAULTS,
  sandboxFaultKinds,
  setSandboxFault,
} from "../../../domain/uma/faults/sandbox-fault.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  incomingTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../../wire/payments/transaction.ts";
import { wireSandboxFault } from "../../../wire/uma/sandbox-fault.ts";
import { shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const payUmaInvoiceInSandbox = defineOperation({
  id: "payUmaInvoice",
  ...route("POST /sandbox/uma/invoices/{transactionId}/pay", "TRANSACT", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Pay the invoice of an incoming UMA payment",
  description:
    "Books what arrives for an invoice on the layer `florin-sandbox`. `EXACT`: its amount. `LESS`, `MORE`: a tenth less or more. `TWICE`: the amount, and once more. " +
    "`LATE`: the amount, after the invoice has lapsed. `NEVER`: nothing, so that it lapses. What does not fit waits in suspense. Each call is another payment, but a repeat under the same `Idempotency-Key`.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({
    outcome: Type.Enum([...invoiceOutcomes], { description: "What arrives." }),
  }),
  requestExample: { outcome: "EXACT" },
  answers: {
    200: {
      description: "The incoming transaction as it is then.",
      schema: TransactionSchema,
      example: { ...incomingTransactionExample, status: "COMPLETED" },
    },
  },
  events: [
    "INCOMING_PAYMENT.COMPLETED",
    "INCOMING_PAYMENT.FAILED",
    "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  ],
  refusals: ["INVALID_INPUT", "FORBIDDEN", "TRANSACTION_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine, ids, clock }: Services) =>
    submitForCaller(engine, principal, {
      command: payUmaInvoice,
      input: {
        transactionId: requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND"),
        outcome: body.outcome,
        reference: ids.next(clock.now()),
      },
      toAnswer: (transaction) => ({
        status: 200,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    }),
});

const getUmaFaults = defineOperation({
  id: "getUmaFaults",
  ...route("GET /sandbox/uma/faults", "VIEW", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Get the fault of UMA answers",
  answers: {
    200: shown(wireSandboxFault, "The fault, and how many answers are still to have it."),
  },
  refusals: ["FORBIDDEN"],
  async handle({ principal: { platformId } }, { reads }: Services) {
    const fault = (await findSandboxFault(reads, platformId)) ?? { next: 0 };
    return { status: 200, body: wireSandboxFault.json(fault) };
  },
});

const setUmaFaults = defineOperation({
  id: "setUmaFaults",
  ...route("PUT /sandbox/uma/faults", "TRANSACT", "sandbox.use"),
  sandboxOnly: true,
  tag: "Sandbox",
  summary: "Set the fault of UMA answers",
  description:
    "The next answers of this platform to other institutions have the fault, so that the other side can be tried out; it replaces the one before. It is counted down once for each exchange that it can be in: " +
    "`WRONG_CURRENCY`, `WRONG_AMOUNT` and `SHORT_EXPIRY` in answers to pay requests, `VERSION_0_3` in answers to lookups, the others in both. `next: 0` ends it.",
  body: Type.Object({
    kind: Type.Enum([...sandboxFaultKinds], {
      description:
        "`HANG`: no answer. `HUGE`: more than is read. `VERSION_0_3`: an answer in that version. `VERSION_9`: a refusal of version 1.0. `REFUSE_KYC`: `SENDER_NOT_ACCEPTED`. " +
        "`REPLAYED_NONCE`: an answer that the sandbox which asks has had before.",
    }),
    next: Type.Integer({
      minimum: 0,
      maximum: MOST_FAULTS,
      description: "How many answers have it.",
    }),
  }),
  requestExample: { kind: "WRONG_AMOUNT", next: 1 },
  answers: { 200: shown(wireSandboxFault, "The fault that is provoked from now on.") },
  refusals: ["INVALID_INPUT", "FORBIDDEN"],
  handle: async ({ principal, body: { kind, next } }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: setSandboxFault,
      input: { kind, next },
      toAnswer: (fault) => ({ status: 200, body: wireSandboxFault.json(fault) }),
      idempotency: undefined,
    }),
});

export const sandboxUmaOperations = [payUmaInvoiceInSandbox, getUmaFaults, setUmaFaults];
