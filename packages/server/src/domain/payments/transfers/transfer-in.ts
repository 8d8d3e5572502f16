import type { Command, Loaded } from "../../../engine/command.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { ruleOf } from "../../accounts/external/account-types.ts";
import type { Metadata } from "../../metadata.ts";
import { failedAt } from "../transactions/failure.ts";
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
  refuseUnsettleableTransfer,
  requireCarrier,
  type TransferIds,
  transferNeeds,
} from "./transfer-rules.ts";

export interface TransferInInput extends TransferIds {
  readonly amountMinor: bigint;
  readonly rails: RailRulesOf;
  readonly description?: string | undefined;
  readonly metadata?: Metadata | null;
  /** The agent that pulls, if one does. */
  readonly agentId?: string;
}

/**
 * Pulls money from an external account into an internal account of the same currency. Nothing is credited before the rail
 * says that the money is here. Refuses whatever `refuseTransferIn` lists.
 */
export const transferIn: Command<TransferInInput, Transaction> = {
  name: "transfer-in",
  needs: transferNeeds,
  decide(world, input) {
    const carried = refuseTransferIn(world, input);

    const { amountMinor, agentId, description, metadata = null } = input;
    const transfer: NewTransfer = {
      type: "INCOMING",
      ...carried,
      amountMinor,
      agentId,
      paymentRail: undefined,
      remittanceInformation: undefined,
      description,
      metadata,
      refund: undefined,
      holdId: undefined,
    };
    const accepted = world.put(transactions, newTransfer(world, transfer));
    const facts = failureAtOnce(carried);
    const pending =
      facts === undefined ? carryTransfer(world, { transfer, pending: accepted }) : accepted;
    world.emit("INCOMING_PAYMENT.PENDING", transactionSubject(pending));
    if (facts !== undefined) {
      const failed = world.put(
        transactions,
        moveTo(pending, "FAILED", { at: world.at, ...failedAt("ACCEPTANCE", facts, world.at) }),
      );
      world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(failed));
      return failed;
    }
    return pending;
  },
};

/**
 * Refuses, in this order: an unknown destination, an unknown source, whatever `refuseTransfer` lists, a source that cannot
 * be pulled from, paused routes, a missing rail, books without room.
 */
export function refuseTransferIn(world: Loaded, input: TransferInInput): Carried {
  const accounts = accountsOf(world, input, "INCOMING");
  const terms = { amountMinor: input.amountMinor, type: "INCOMING" } as const;
  refuseTransfer(accounts, terms);
  if (!ruleOf(accounts.external.accountType).pullable) {
    throw invalidField(
      "source.accountId",
      "is an account that money cannot be pulled from; use the funding instructions of the destination",
    );
  }
  const { rails, amountMinor } = input;
  const carrier = requireCarrier(world, accounts, { rails, amountMinor, type: "INCOMING" });
  const carried = { accounts, carrier };
  refuseUnsettleableTransfer(world, carried, terms);
  return carried;
}
