import type { Command, Loaded } from "../../engine/command.ts";
import { invalidField } from "../../engine/refusal.ts";
import { ruleOf } from "../external-accounts/account-types.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import { type NewTransfer, newTransfer, scheduleRail } from "./new-transfer.ts";
import {
  accountsOf,
  refuseTransfer,
  refuseUncountable,
  refuseWithoutRail,
  sandboxOutcomeOf,
  type TransferAccounts,
  type TransferIds,
  transferNeeds,
} from "./transfer-rules.ts";

export interface TransferInInput extends TransferIds {
  readonly amountMinor: bigint;
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
    const accounts = refuseTransferIn(world, input);

    const { amountMinor, agentId } = input;
    const transfer: NewTransfer = { type: "INCOMING", accounts, amountMinor, agentId, details: {} };
    const pending = world.put(transactions, newTransfer(world, transfer));
    world.emit("INCOMING_PAYMENT.PENDING", transactionSubject(pending));
    const outcome = sandboxOutcomeOf(accounts.external);
    if (outcome?.kind === "fails-at-once") {
      const { failureReason } = outcome;
      const failed = world.put(
        transactions,
        moveTo(pending, "FAILED", { at: world.at, failureReason }),
      );
      world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(failed));
      return failed;
    }
    scheduleRail(world, "pull-funds", { transfer, pending });
    return pending;
  },
};

/**
 * Refuses, in this order: an unknown destination, an unknown source, whatever `refuseTransfer` lists, a source that cannot
 * be pulled from, a missing rail, books without room.
 */
export function refuseTransferIn(world: Loaded, input: TransferInInput): TransferAccounts {
  const accounts = accountsOf(world, input, "INCOMING");
  const terms = { amountMinor: input.amountMinor, type: "INCOMING" } as const;
  refuseTransfer(accounts, terms);
  if (!ruleOf(accounts.external.accountType).pullable) {
    throw invalidField(
      "source.accountId",
      "is an account that money cannot be pulled from; use the funding instructions of the destination",
    );
  }
  refuseWithoutRail(accounts);
  refuseUncountable(world, accounts, terms);
  return accounts;
}
