/**
 * Payments to UMA addresses, as a rail of sandboxes. A production payment never comes here: its payee is a customer of the same platform
 * (domain/uma/in-house), or of another institution, which is paid by an invoice. A counterparty of the sandbox answers from its table. A customer of a sandbox of this
 * deployment is paid by a command on that platform: each side has its own commit and its own events.
 *
 * The sender's job links the two sides: it inquires until the payment has ended there, under a reference derived from the sender's
 * transaction. The receiving platform stores its first answer under that reference, so however often and from however many servers the
 * payment is sent, it is stored there once or not at all. If the process dies, the job is claimed again and gets the same answer.
 */
import { findCustomer } from "../../domain/customers/customer.sql.ts";
import { umaHandle } from "../../domain/customers/uma-address.ts";
import { findQuote } from "../../domain/payments/quotes/quote.ts";
import { umaReference } from "../../domain/payments/transactions/delivery.ts";
import { causes, type FailureFacts } from "../../domain/payments/transactions/failure.ts";
import {
  findTransaction,
  findTransactionByReference,
} from "../../domain/payments/transactions/transaction.sql.ts";
import type { Transaction } from "../../domain/payments/transactions/transaction.ts";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../domain/payments/transfers/payment-rail.port.ts";
import { findPlatform, platformOfHandle } from "../../domain/platform.sql.ts";
import { type CounterpartyOutcome, findCounterparty } from "../../domain/uma/counterparties.ts";
import { senderFacts } from "../../domain/uma/in-house/sender-facts.ts";
import { findPaymentApproval } from "../../domain/uma/payment-approval.ts";
import { receivePayment } from "../../domain/uma/receive-payment.ts";
import { findCustomerAt } from "../../domain/uma/receiver.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { assert, present } from "../../std/assert.ts";
import { sha256 } from "../../std/digest.ts";

export interface UmaNetworkOptions {
  readonly engine: Engine;
  readonly reads: Reads;
}

/** The delay before the receiving platform is asked again. */
const ASK_AGAIN_MS = 1_000;

/** The rail by which one platform pays UMA addresses. */
export function umaNetwork(options: UmaNetworkOptions, platformId: string): PaymentRail {
  async function pay(instruction: RailInstruction, platformTime: number): Promise<RailAnswer> {
    // A payment that did not arrive was never booked on the other side, so its refund settles at once.
    if (instruction.direction === "back") return { kind: "settled" };
    const { reads } = options;
    const sender = present(await findPlatform(reads, platformId), "the sender's platform");
    const address = instruction.primaryIdentifier;
    assert(sender.environment === "SANDBOX", "the simulated network carries no production payment");
    const counterparty = findCounterparty(address, sender.sandboxUmaDomain);
    if (counterparty !== undefined) {
      return counterpartyAnswer(counterparty.outcome, platformTime - instruction.acceptedAt);
    }
    // The handle stays with its platform when the address or its domain is released: that platform's command finds a payment that it has
    // stored, and declines any other.
    const to = await platformOfHandle(reads, umaHandle(sender.environment, address));
    if (to === undefined) return declined(NOT_TAKEN);
    return payAt(options, { platformId, to, instruction });
  }
  return { name: "uma", send: pay, inquire: pay };
}

interface Payment {
  readonly platformId: string;
  /** The receiving platform. */
  readonly to: string;
  readonly instruction: RailInstruction;
}

async function payAt(options: UmaNetworkOptions, payment: Payment): Promise<RailAnswer> {
  const { reads } = options;
  const { to, instruction } = payment;
  const reference = umaReference(instruction.key);
  const known = await findTransactionByReference(reads, to, reference);
  if (known !== undefined) return answerOf(reads, to, known);
  if (!(await takeIn(options, payment))) return declined(NOT_TAKEN);
  const taken = await findTransactionByReference(reads, to, reference);
  return answerOf(reads, to, present(taken, "a payment that was taken in"));
}

/** Whether the receiving platform has stored the payment. Its first answer is replayed to every later try. */
async function takeIn(
  { engine, reads }: UmaNetworkOptions,
  { platformId, to, instruction }: Payment,
): Promise<boolean> {
  const umaAddress = instruction.primaryIdentifier;
  const [sender, customer] = await Promise.all([
    senderOf(reads, platformId, instruction.key),
    findCustomerAt(reads, to, umaAddress),
  ]);
  const reference = umaReference(instruction.key);
  const answered = await engine.submit({
    platformId: to,
    actor: { kind: "worker", id: "uma" },
    command: receivePayment,
    input: {
      reference,
      sender,
      receiver: { umaAddress, customerId: customer?.id },
      currency: instruction.currency,
      amountMinor: instruction.minor,
    },
    toAnswer: () => ({ status: 200, body: "" }),
    idempotency: {
      scope: "uma payment",
      key: reference,
      bodyDigest: sha256(reference),
    },
  });
  return answered.status === 200;
}

/** The payer's data that the receiving side may see, and the fields that the payer's platform requires of the receiver. */
async function senderOf(reads: Reads, platformId: string, transactionId: string) {
  const found = await findTransaction(reads, platformId, transactionId);
  const { customerId, quoteId } = present(found, "the transaction of a payment");
  const [foundPlatform, quote, customer] = await Promise.all([
    findPlatform(reads, platformId),
    findQuote(reads, platformId, present(quoteId ?? undefined, "the quote of a payment")),
    customerId === null ? undefined : findCustomer(reads, platformId, customerId),
  ]);
  return senderFacts(present(foundPlatform, "the sender's platform"), {
    quote: present(quote, "the quote of a payment"),
    customer,
  });
}

function counterpartyAnswer(outcome: CounterpartyOutcome, elapsedMs: number): RailAnswer {
  switch (outcome.kind) {
    case "succeeds":
      return { kind: "settled" };
    case "succeeds-late": {
      const askAgainInMs = outcome.seconds * 1_000 - elapsedMs;
      return askAgainInMs > 0 ? { kind: "accepted", askAgainInMs } : { kind: "settled" };
    }
    case "fails":
      return declined(outcome);
  }
}

/** How the payment ended there, with the receiver's data from that platform, or the fields that it requires of the sender. */
async function answerOf(
  reads: Reads,
  to: string,
  { id, status }: Transaction,
): Promise<RailAnswer> {
  const isOver = status === "COMPLETED" || status === "FAILED" || status === "REJECTED";
  if (!isOver) return { kind: "accepted", askAgainInMs: ASK_AGAIN_MS };
  const approval = await findPaymentApproval(reads, to, id);
  return status === "COMPLETED"
    ? { kind: "settled", receiverInformation: approval?.receiverInformation ?? {} }
    : { ...declined(NOT_TAKEN), missingPayerFields: approval?.missingFields ?? [] };
}

/** No customer has the address, or the receiving platform refused the payment. */
const NOT_TAKEN: FailureFacts = {
  failureReason: "COUNTERPARTY_POST_TX_FAILED",
  cause: causes.receiverRefused,
};

function declined({
  failureReason,
  cause,
}: FailureFacts): Extract<RailAnswer, { kind: "declined" }> {
  return {
    kind: "declined",
    failureReason,
    ...(cause === undefined ? {} : { cause }),
    refundReason: "TRANSACTION_FAILED",
    wasAccepted: true,
  };
}
