import type { Command, Loaded, World } from "../../../engine/command.ts";
import { emitBalance } from "../../accounts/internal/internal-account.ts";
import { refuseLowBalance } from "../../accounts/internal/low-balance.ts";
import type { Metadata } from "../../metadata.ts";
import type { BatchMembers } from "../transactions/batch-members.ts";
import { type FailureFacts, failedAt } from "../transactions/failure.ts";
import type { RefundMembers } from "../transactions/incoming-refund.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import { carryTransfer, failureAtOnce, type NewTransfer, newTransfer } from "./new-transfer.ts";
import type { RailRulesOf } from "./payment-rail.port.ts";
import {
  accountsOf,
  type Carried,
  refuseTransfer,
  refuseUnknownRail,
  refuseUnsettleableTransfer,
  requireCarrier,
  type TransferIds,
  transferNeeds,
} from "./transfer-rules.ts";

export interface TransferOutInput extends TransferIds {
  readonly amountMinor: bigint;
  readonly paymentRail: string | undefined;
  readonly remittanceInformation: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Metadata | null;
  readonly rails: RailRulesOf;
  /** The agent that pays, if one does. */
  readonly agentId?: string;
  /** Set when the transfer gives an incoming payment back. */
  readonly refund?: RefundMembers;
  /** Set when the transfer captures a hold, whose money its command makes available: the wire id of the hold. */
  readonly holdId?: string;
  /** Set when the transfer takes the money of an incoming UMA payment on: the wire id of that payment. */
  readonly depositOf?: string;
  /** Set when the transfer is an item of a batch. */
  readonly batch?: BatchMembers | undefined;
}

/**
 * Holds the money of a transfer in an internal account and schedules its payout to an external account of the same currency.
 * Refuses whatever `refuseTransferOut` lists, and then a balance that is too low.
 */
export const transferOut: Command<TransferOutInput, Transaction> = {
  name: "transfer-out",
  needs: transferNeeds,
  decide(world, input) {
    return payOut(world, input, refuseTransferOut(world, input));
  },
};

/** Refuses too low a balance, unless the money was held. Otherwise holds the money, or fails the transfer at once where its rail says so. */
export function payOut(world: World, input: TransferOutInput, carried: Carried): Transaction {
  const { id: accountId, currency } = carried.accounts.internal;
  if (input.holdId === undefined) {
    refuseLowBalance(world, { accountId, currency, minor: input.amountMinor });
  }

  const transfer = transferOf(input, carried);
  const facts = failureAtOnce(carried);
  if (facts !== undefined) return fail(world, transfer, facts);
  return hold(world, transfer);
}

/**
 * Checks everything except the balance. Refuses, in this order: an unknown source, an unknown destination, whatever
 * `refuseTransfer` lists, a payment rail that the destination does not have, paused routes, a missing rail, system accounts without room.
 */
export function refuseTransferOut(world: Loaded, input: TransferOutInput): Carried {
  const accounts = accountsOf(world, input, "OUTGOING");
  const terms = { amountMinor: input.amountMinor, type: "OUTGOING" } as const;
  refuseTransfer(accounts, terms);
  refuseUnknownRail(accounts.external, input.paymentRail);
  const { rails, amountMinor, paymentRail } = input;
  const carrier = requireCarrier(world, accounts, {
    rails,
    paymentRail,
    amountMinor,
    type: "OUTGOING",
  });
  const carried = { accounts, carrier };
  refuseUnsettleableTransfer(world, carried, terms);
  return carried;
}

function transferOf(input: TransferOutInput, carried: Carried): NewTransfer {
  return {
    type: "OUTGOING",
    ...carried,
    amountMinor: input.amountMinor,
    agentId: input.agentId,
    paymentRail: input.paymentRail,
    remittanceInformation: input.remittanceInformation,
    description: input.description,
    metadata: input.metadata ?? null,
    refund: input.refund,
    holdId: input.holdId,
    depositOf: input.depositOf,
    batch: input.batch,
  };
}

function fail(world: World, transfer: NewTransfer, facts: FailureFacts): Transaction {
  const pending = world.put(transactions, newTransfer(world, transfer));
  world.emit("OUTGOING_PAYMENT.PENDING", transactionSubject(pending));
  const failed = world.put(
    transactions,
    moveTo(pending, "FAILED", { at: world.at, ...failedAt("ACCEPTANCE", facts, world.at) }),
  );
  world.emit("OUTGOING_PAYMENT.FAILED", transactionSubject(failed));
  return failed;
}

/** The amount leaves the account at once and is held until the rail has answered. */
function hold(world: World, transfer: NewTransfer): Transaction {
  const { accounts, amountMinor: minor } = transfer;
  const { internal } = accounts;
  // The posting comes first, because it can still be refused.
  world.post({
    reason: "payout.hold",
    legs: [
      { account: internal.id, minor: -minor },
      { system: "in-flight", currency: internal.currency, minor, heldFor: internal.id },
    ],
  });
  const accepted = world.put(transactions, newTransfer(world, transfer));
  const pending = carryTransfer(world, { transfer, pending: accepted });
  world.emit("OUTGOING_PAYMENT.PENDING", transactionSubject(pending));
  emitBalance(world, internal.id);
  return pending;
}
