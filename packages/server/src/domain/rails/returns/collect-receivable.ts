import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import {
  emitBalance,
  internalAccounts,
  toInternalAccountId,
} from "../../accounts/internal/internal-account.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { type Asked, askForMark, needsSecondToken } from "../marks/rail-mark.ts";
import {
  type RailReceivable,
  railReceivables,
  requireOpenReceivable,
  withCollected,
} from "./rail-receivable.ts";

/** The request as a waiting mark stores it. */
export type CollectionRequest = { readonly receivableId: string };

/**
 * Debits the account of a receivable by what it has, up to the open amount: account → receivables. At a connection with FOUR_EYES it waits
 * for another token. Refuses, in this order: an unknown receivable, one that is not open, an account without money.
 */
export const collectReceivable: Command<CollectionRequest, Asked<RailReceivable>> = {
  name: "collect-receivable",
  needs(world, { receivableId }) {
    const receivable = world.find(railReceivables.ref(receivableId));
    if (receivable === undefined) return [railReceivables.ref(receivableId)];
    const { accountId, currency, connectionId } = receivable;
    return [
      railReceivables.ref(receivableId),
      railConnections.ref(connectionId),
      internalAccounts.ref(accountId),
      ledgerAccounts.ref(accountId),
      systemAccount("receivables", currency),
    ];
  },
  decide(world, { receivableId }) {
    const receivable = refuseCollection(world, receivableId);
    const { connectionId } = receivable;
    if (!needsSecondToken(world, connectionId)) {
      return { kind: "done", done: collect(world, receivable) };
    }
    const request: CollectionRequest = { receivableId };
    const mark = askForMark(world, { connectionId, kind: "COLLECTION", request });
    return { kind: "waiting", mark };
  },
};

/** Checks that something can be collected, and returns the receivable. */
export function refuseCollection(world: World, receivableId: string): RailReceivable {
  const receivable = requireOpenReceivable(world, receivableId, "collected");
  if (collectable(world, receivable) > 0n) return receivable;
  const details = { accountId: toInternalAccountId(receivable.accountId) };
  const message = "The account has no money: collect again when some has come in, or write it off.";
  throw new Refusal("CONFLICT", details, message);
}

function collectable(world: World, { accountId, openMinor }: RailReceivable): bigint {
  const { balanceMinor } = world.get(ledgerAccounts.ref(accountId));
  return balanceMinor < openMinor ? balanceMinor : openMinor;
}

/** Collects from a receivable that passed the checks. */
export function collect(world: World, receivable: RailReceivable): RailReceivable {
  const { accountId, currency } = receivable;
  const minor = collectable(world, receivable);
  world.post({
    reason: "receivable.collect",
    legs: [
      { account: accountId, minor: -minor },
      { system: "receivables", currency, minor },
    ],
  });
  emitBalance(world, accountId);
  return withCollected(world, receivable, minor);
}
