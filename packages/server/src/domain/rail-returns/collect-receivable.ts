import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ledgerAccounts, systemAccount } from "../../ledger/chart.ts";
import {
  emitBalance,
  internalAccounts,
  toInternalAccountId,
} from "../internal-accounts/internal-account.ts";
import {
  type RailReceivable,
  railReceivables,
  requireOpenReceivable,
  withCollected,
} from "./rail-receivable.ts";

/**
 * Takes from the account of a receivable what is there, up to what is open: account → receivables. Refuses, in this order: an unknown
 * receivable, one that is not open, an account without money.
 */
export const collectReceivable: Command<{ readonly receivableId: string }, RailReceivable> = {
  name: "collect-receivable",
  needs(world, { receivableId }) {
    const receivable = world.find(railReceivables.ref(receivableId));
    if (receivable === undefined) return [railReceivables.ref(receivableId)];
    const { accountId, currency } = receivable;
    return [
      railReceivables.ref(receivableId),
      internalAccounts.ref(accountId),
      ledgerAccounts.ref(accountId),
      systemAccount("receivables", currency),
    ];
  },
  decide(world, { receivableId }) {
    const receivable = requireOpenReceivable(world, receivableId, "collected");
    const { accountId, currency, openMinor } = receivable;
    const { balanceMinor } = world.get(ledgerAccounts.ref(accountId));
    const minor = balanceMinor < openMinor ? balanceMinor : openMinor;
    if (minor === 0n) {
      const details = { accountId: toInternalAccountId(accountId) };
      const message =
        "The account has no money: collect again when some has come in, or write it off.";
      throw new Refusal("CONFLICT", details, message);
    }

    world.post({
      reason: "receivable.collect",
      legs: [
        { account: accountId, minor: -minor },
        { system: "receivables", currency, minor },
      ],
    });
    emitBalance(world, accountId);
    return withCollected(world, receivable, minor);
  },
};
