/**
 * The sandbox's rail: nothing leaves the house, and what becomes of an instruction is read from the table of outcomes. It
 * keeps no state: the same instruction at the same platform time always gets the same answer, however often it is sent.
 */
import { transferOutcomes } from "../../domain/sandbox/transfer-outcomes.ts";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../domain/transfers/payment-rail.port.ts";

export const simulatedRail: PaymentRail = {
  name: "simulated",
  send: async (instruction, platformTime) => answerTo(instruction, platformTime),
  inquire: async (instruction, platformTime) => answerTo(instruction, platformTime),
};

function answerTo(instruction: RailInstruction, platformTime: number): RailAnswer {
  const outcome = transferOutcomes.get(instruction.suffix ?? "");
  if (outcome === undefined) return { kind: "settled" };
  switch (outcome.kind) {
    case "fails-at-once":
    case "declined":
      return {
        kind: "declined",
        failureReason: outcome.failureReason,
        refundReason: outcome.kind === "declined" ? outcome.refundReason : "TRANSACTION_FAILED",
        wasTakenUp: true,
      };
    case "silent": {
      const heardAt = instruction.acceptedAt + outcome.seconds * 1000;
      if (platformTime < heardAt) return { kind: "unknown", askAgainInMs: heardAt - platformTime };
      const { failureReason, refundReason } = outcome;
      return { kind: "declined", failureReason, refundReason, wasTakenUp: false };
    }
  }
}
