import type { World } from "../../engine/command.ts";
import { ratioToNumber } from "../../money/ratio.ts";
import type { JsonObject } from "../../std/json.ts";
import { toExternalAccountId } from "../accounts/external/external-account.ts";
import type { Customer } from "../customers/customer.ts";
import type { CustomerInfo, RequestedField } from "../customers/customer-info.ts";
import { scheduleJob } from "../job-kinds.ts";
import { beneficiaryReference, UMA_RAIL } from "../payments/transactions/delivery.ts";
import { type FailureFacts, failedAt } from "../payments/transactions/failure.ts";
import {
  moveTo,
  referenceFrom,
  type Transaction,
  transactionSubject,
  transactions,
} from "../payments/transactions/transaction.ts";
import type { Platform } from "../platform.ts";
import { corridorBetween, multipliersOf, withoutCounterparty } from "../prices/rates/corridor.ts";
import { APPROVAL_BUDGET_MS, type ApprovedOutcome, paymentApprovals } from "./payment-approval.ts";

/** An announced UMA payment: sender, receiver, amount and account. */
export interface AnnouncedPayment {
  readonly platform: Platform;
  readonly customer: Customer;
  readonly sender: {
    readonly umaAddress: string;
    /** The sender's data that the platform gets. */
    readonly information: CustomerInfo;
    /** The receiver's data that the sender's institution requests. */
    readonly requestedFields: readonly RequestedField[];
  };
  readonly outcome: ApprovedOutcome;
  /** The sender's reference of the payment; generated when absent. */
  readonly reference?: string;
  /** The sender's comment. */
  readonly description?: string | null;
  readonly currency: string;
  readonly minor: bigint;
  /** Where the money is credited, or the external account that it is sent to without being credited. */
  readonly accountId: string;
  /** The external account that the money goes on to; null when it stays. See `isCreditedFirst`. */
  readonly depositAccountId: string | null;
}

/**
 * Creates the payment and asks the platform for approval. A platform without a webhook endpoint cannot be asked: its payment
 * fails at once.
 */
export function askAboutPayment(world: World, announced: AnnouncedPayment): Transaction {
  const { requestedFields } = announced.sender;
  const pending = world.put(transactions, newTransaction(world, announced));
  if (announced.platform.webhookEndpoint === null) {
    const why = failedAt("ACCEPTANCE", NO_ENDPOINT, world.at);
    return world.put(transactions, moveTo(pending, "FAILED", { at: world.at, ...why }));
  }
  world.emit("INCOMING_PAYMENT.PENDING", transactionSubject(pending, requestedFields));
  const { eventSeq } = world;
  const deadlineAt = world.at + APPROVAL_BUDGET_MS;
  const jobId = scheduleJob(world, {
    kind: "ask-approval",
    dueAt: world.at,
    payload: { transactionId: pending.id, eventSeq: eventSeq.toString(), deadlineAt },
  });
  world.put(paymentApprovals, {
    id: pending.id,
    eventSeq,
    jobId,
    requestedFields,
    deadlineAt,
    outcome: announced.outcome,
    depositAccountId: isCreditedFirst(announced.outcome) ? null : announced.depositAccountId,
    decision: null,
    decidedAt: null,
    reason: null,
    receiverInformation: null,
    missingFields: null,
  });
  return pending;
}

/** Whether the money is credited before it goes on to a deposit account, because it cannot go back to the payer from there. */
export function isCreditedFirst({ kind }: ApprovedOutcome): boolean {
  return kind === "invoice" || kind === "in-house";
}

const NO_ENDPOINT: FailureFacts = {
  failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR",
  cause: {
    code: "UNKNOWN",
    message:
      "The platform has no webhook endpoint, so it could not be asked to approve the payment.",
  },
};

function newTransaction(world: World, announced: AnnouncedPayment): Transaction {
  const { customer, sender, currency, minor, accountId } = announced;
  const id = world.newId();
  return {
    id,
    type: "INCOMING",
    status: "PENDING",
    customerId: customer.id,
    platformCustomerId: customer.platformCustomerId,
    source: { type: "UMA_ADDRESS", umaAddress: sender.umaAddress },
    destination: { type: "UMA_ADDRESS", umaAddress: customer.umaAddress, currency },
    sourceAccountId: null,
    destinationAccountId: accountId,
    sentMinor: null,
    sentCurrency: null,
    receivedMinor: minor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: null,
    reference: announced.reference ?? referenceFrom("UMA", id),
    description: announced.description ?? null,
    failureReason: null,
    failure: null,
    refund: null,
    details: detailsOf(announced, id),
    metadata: null,
    outcome: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: null,
  };
}

const MULTIPLIER_DECIMALS = 12;

/** Nothing is charged for receiving: the amount that is announced is the amount that arrives. */
function detailsOf(announced: AnnouncedPayment, id: string): JsonObject {
  const { currency, depositAccountId, sender } = announced;
  const { information } = sender;
  const corridor = corridorBetween(currency, currency);
  const isKnown = Object.keys(information).length > 0;
  return {
    paymentRail: UMA_RAIL,
    // What is sent without being credited carries a reference of its own.
    ...(depositAccountId === null || isCreditedFirst(announced.outcome)
      ? {}
      : { reference: beneficiaryReference(id) }),
    ...(depositAccountId === null
      ? {}
      : { depositAccountId: toExternalAccountId(depositAccountId) }),
    ...(isKnown ? { counterpartyInformation: information as JsonObject } : {}),
    ...(corridor === undefined
      ? {}
      : {
          rateDetails: {
            serviceApiMultiplier: ratioToNumber(
              multipliersOf(withoutCounterparty(corridor)).counterparty,
              MULTIPLIER_DECIMALS,
              "half-up",
            ),
            serviceApiFixedFee: 0,
            serviceApiVariableFeeRate: 0,
            serviceApiVariableFeeAmount: 0,
          },
        }),
  };
}
