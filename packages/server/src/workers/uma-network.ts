/**
 * Payments to UMA addresses. A counterparty of the sandbox does what its row says; a customer of a platform of this
 * deployment is paid by a command on that platform: nothing spans both, and each has its own commit and its own events.
 *
 * What joins them is the sender's job, which asks until it hears how the payment ended, and a reference that follows from
 * the sender's transaction: however often the payment is sent, it is taken in once. If the process dies anywhere, the job
 * is taken up again and asks.
 */
import { findCustomer } from "../domain/customers/customer.sql.ts";
import { knownInfoOf } from "../domain/customers/known-info.ts";
import { findPlatform } from "../domain/platforms/platform.sql.ts";
import { supportedCurrency } from "../domain/platforms/platform.ts";
import { findQuote } from "../domain/quotes/quotes.sql.ts";
import type { CounterpartyOutcome } from "../domain/sandbox/counterparties.ts";
import {
  findTransaction,
  findTransactionByReference,
} from "../domain/transactions/transaction.sql.ts";
import type { FailureReason, Transaction } from "../domain/transactions/transaction.ts";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../domain/transfers/payment-rail.port.ts";
import type { ReceiverHome, ReceiverSource } from "../domain/uma/receiver.port.ts";
import { paymentReference, takeInPayment } from "../domain/uma/take-in-payment.ts";
import type { Engine } from "../engine/engine.ts";
import { present } from "../std/assert.ts";
import type { Reads } from "../storage/database.ts";

export interface UmaNetworkOptions {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly receivers: ReceiverSource;
}

/** How long until the receiving platform is looked at again. */
const ASK_AGAIN_MS = 1_000;

/** The network as one platform sends into it. */
export function umaNetwork(options: UmaNetworkOptions, platformId: string): PaymentRail {
  const { reads, receivers } = options;

  async function homeOf({ primaryIdentifier }: RailInstruction): Promise<ReceiverHome | undefined> {
    const platform = present(await findPlatform(reads, platformId), "the sender's platform");
    return (await receivers.find(primaryIdentifier, platform))?.home;
  }

  async function ask(instruction: RailInstruction, platformTime: number): Promise<RailAnswer> {
    // Money that did not arrive never left the house.
    if (instruction.direction === "back") return { kind: "settled" };
    const home = await homeOf(instruction);
    if (home === undefined) return declined("COUNTERPARTY_POST_TX_FAILED");
    if (home.kind === "sandbox") {
      return counterpartyAnswer(home.outcome, platformTime - instruction.acceptedAt);
    }
    const reference = paymentReference(instruction.key);
    const taken = await findTransactionByReference(reads, home.platformId, reference);
    return taken === undefined ? { kind: "not-received" } : answerOf(taken);
  }

  return {
    name: "uma",
    inquire: ask,
    async send(instruction, platformTime) {
      const answer = await ask(instruction, platformTime);
      if (answer.kind !== "not-received") return answer;
      const home = await homeOf(instruction);
      if (home?.kind !== "customer") return declined("COUNTERPARTY_POST_TX_FAILED");
      const isTaken = await takeIn(options, { platformId, instruction, to: home });
      return isTaken
        ? { kind: "accepted", askAgainInMs: ASK_AGAIN_MS }
        : declined("COUNTERPARTY_POST_TX_FAILED");
    },
  };
}

/** Whether the receiver's platform has noted the payment; what became of it there is asked about later. */
async function takeIn(
  { engine, reads }: UmaNetworkOptions,
  payment: {
    readonly platformId: string;
    readonly instruction: RailInstruction;
    readonly to: Extract<ReceiverHome, { kind: "customer" }>;
  },
): Promise<boolean> {
  const { platformId, instruction, to } = payment;
  const sender = await senderOf(reads, platformId, instruction.key);
  const answered = await engine.submit({
    platformId: to.platformId,
    actor: { kind: "worker", id: "uma" },
    command: takeInPayment,
    input: {
      reference: paymentReference(instruction.key),
      sender,
      receiver: { umaAddress: instruction.primaryIdentifier, customerId: to.customerId },
      currency: instruction.currency,
      amountMinor: instruction.minor,
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  return answered.status === 200;
}

/** Who pays, as the receiving side may know them, and what their platform wants to know of the receiver. */
async function senderOf(reads: Reads, platformId: string, transactionId: string) {
  const found = await findTransaction(reads, platformId, transactionId);
  const { customerId, quoteId } = present(found, "the transaction of a payment");
  const [platform, quote, customer] = await Promise.all([
    findPlatform(reads, platformId),
    findQuote(reads, platformId, present(quoteId ?? undefined, "the quote of a payment")),
    customerId === null ? undefined : findCustomer(reads, platformId, customerId),
  ]);
  const { umaDomain } = present(platform, "the sender's platform");
  const { sendingCurrency, payerInformation } = present(quote, "the quote of a payment");
  const currency = supportedCurrency(present(platform, "a platform"), sendingCurrency);
  return {
    umaAddress: customer?.umaAddress ?? `$platform@${umaDomain}`,
    information: {
      ...(customer === undefined ? {} : knownInfoOf(customer)),
      ...payerInformation,
    },
    requestedFields: currency?.requiredCounterpartyFields ?? [],
  };
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
      return declined(outcome.failureReason);
  }
}

function answerOf({ status }: Transaction): RailAnswer {
  if (status === "COMPLETED") return { kind: "settled" };
  if (status === "FAILED" || status === "REJECTED") return declined("COUNTERPARTY_POST_TX_FAILED");
  return { kind: "accepted", askAgainInMs: ASK_AGAIN_MS };
}

function declined(failureReason: FailureReason): RailAnswer {
  return {
    kind: "declined",
    failureReason,
    refundReason: "TRANSACTION_FAILED",
    wasTakenUp: true,
  };
}
