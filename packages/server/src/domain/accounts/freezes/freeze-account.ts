import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { toIso } from "../../../std/clock.ts";
import {
  type InternalAccount,
  type InternalAccountSubject,
  internalAccountSubject,
  internalAccounts,
} from "../internal/internal-account.ts";
import { type Freeze, notFrozen, stopAwaited } from "./freeze.ts";

export interface FreezeAccountInput {
  readonly accountId: string;
  readonly freeze: Omit<Freeze, "since">;
}

/**
 * Freezes an internal account. A freeze of a frozen account replaces reason, note and scope; `since` is kept. Refuses an unknown account.
 */
export const freezeAccount: Command<FreezeAccountInput, InternalAccountSubject> = {
  name: "freeze-internal-account",
  needs: (_world, { accountId }) => accountNeeds(accountId),
  decide(world, { accountId, freeze }) {
    const account = requireAccount(world, accountId);
    const since = account.frozen?.since ?? toIso(world.at);
    if (freeze.scope === "ALL") stopAwaited(world, accountId);
    const subject = put(world, { ...account, frozen: { ...freeze, since } });
    world.emit("INTERNAL_ACCOUNT.FROZEN", subject);
    return subject;
  },
};

/** Lifts the account's own freeze; its customer's stays. Refuses, in this order: an unknown account, one without its own freeze. */
export const unfreezeAccount: Command<{ readonly accountId: string }, InternalAccountSubject> = {
  name: "unfreeze-internal-account",
  needs: (_world, { accountId }) => accountNeeds(accountId),
  decide(world, { accountId }) {
    const account = requireAccount(world, accountId);
    if (account.frozen === null) throw notFrozen("account");
    const subject = put(world, { ...account, frozen: null });
    world.emit("INTERNAL_ACCOUNT.UNFROZEN", subject);
    return subject;
  },
};

function accountNeeds(accountId: string) {
  return [internalAccounts.ref(accountId), ledgerAccounts.ref(accountId)];
}

function requireAccount(world: Loaded, accountId: string): InternalAccount {
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return account;
}

function put(world: World, account: InternalAccount): InternalAccountSubject {
  const ledger = world.get(ledgerAccounts.ref(account.id));
  return internalAccountSubject(world.put(internalAccounts, account), ledger);
}
