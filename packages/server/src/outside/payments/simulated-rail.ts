/**
 * The sandbox's rail: it sends nothing and reads each outcome from the tables of outcomes. It is stateless: the same instruction
 * at the same platform time always has the same outcome, however often it is sent.
 */
import { suffixIn } from "../../domain/accounts/external/sandbox-suffix.ts";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
  RailRules,
} from "../../domain/payments/transfers/payment-rail.port.ts";
import { type QuoteOutcome, quoteOutcomes } from "./quote-outcomes.ts";
import { transferOutcomes } from "./transfer-outcomes.ts";

export const simulatedRail: PaymentRail & RailRules = {
  name: "simulated",
  failureAtOnce({ primaryIdentifier }) {
    const outcome = transferOutcomes.get(suffixIn(primaryIdentifier) ?? "");
    return outcome?.kind === "fails-at-once" ? outcome : undefined;
  },
  send: async (instruction, platformTime) => answerTo(instruction, platformTime),
  inquire: async (instruction, platformTime) => answerTo(instruction, platformTime),
};

function answerTo(instruction: RailInstruction, platformTime: number): RailAnswer {
  const { purpose, direction } = instruction;
  const outcome = quoteOutcomes.get(suffixIn(instruction.primaryIdentifier) ?? "");
  if (direction === "back" || instruction.isRefund) return refundAnswer(outcome);
  if (purpose === "transfer" || direction === "in")
    return transferAnswer(instruction, platformTime);
  return payoutAnswer(outcome, platformTime - instruction.acceptedAt);
}

function transferAnswer(instruction: RailInstruction, platformTime: number): RailAnswer {
  const outcome = transferOutcomes.get(suffixIn(instruction.primaryIdentifier) ?? "");
  if (outcome === undefined) return { kind: "settled" };
  switch (outcome.kind) {
    case "fails-at-once":
    case "declined":
      return {
        kind: "declined",
        failureReason: outcome.failureReason,
        cause: outcome.cause,
        refundReason: outcome.kind === "declined" ? outcome.refundReason : "TRANSACTION_FAILED",
        wasAccepted: true,
      };
    case "silent": {
      const heardAt = instruction.acceptedAt + outcome.seconds * 1000;
      if (platformTime < heardAt) return { kind: "unknown", askAgainInMs: heardAt - platformTime };
      const { failureReason, cause, refundReason } = outcome;
      return { kind: "declined", failureReason, cause, refundReason, wasAccepted: false };
    }
  }
}

function payoutAnswer(outcome: QuoteOutcome | undefined, elapsedMs: number): RailAnswer {
  if (outcome === undefined) return { kind: "settled" };
  switch (outcome.kind) {
    case "declined":
      return {
        kind: "declined",
        failureReason: outcome.failureReason,
        cause: outcome.cause,
        refundReason: "TRANSACTION_FAILED",
        wasAccepted: true,
      };
    case "slow": {
      const askAgainInMs = outcome.seconds * 1000 - elapsedMs;
      return askAgainInMs > 0 ? { kind: "accepted", askAgainInMs } : { kind: "settled" };
    }
    case "returned": {
      const mayComeBackInMs = outcome.seconds * 1000 - elapsedMs;
      if (mayComeBackInMs > 0) return { kind: "settled", mayComeBackInMs };
      return {
        kind: "returned",
        failureReason: outcome.failureReason,
        cause: outcome.cause,
      };
    }
    case "cancelled":
      return { kind: "cancelled", cause: outcome.cause };
  }
}

function refundAnswer(outcome: QuoteOutcome | undefined): RailAnswer {
  const cause = outcome?.kind === "declined" ? outcome.refundCause : undefined;
  if (cause === undefined) return { kind: "settled" };
  return {
    kind: "declined",
    failureReason: "COUNTERPARTY_POST_TX_FAILED",
    cause,
    refundReason: "TRANSACTION_FAILED",
    wasAccepted: true,
  };
}
