import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { internalAccounts } from "../internal/internal-account.ts";
import { requireAccount } from "./add-balance-alert.ts";

export interface RemoveBalanceAlertInput {
  readonly accountId: string;
  readonly alertId: string;
}

/** Removes an alert. Refuses, in this order: an unknown account, an alert that it does not have. */
export const removeBalanceAlert: Command<RemoveBalanceAlertInput, void> = {
  name: "remove-balance-alert",
  needs: (_world, { accountId }) => [internalAccounts.ref(accountId)],
  decide(world, { accountId, alertId }) {
    const account = requireAccount(world, accountId);
    const left = (account.alerts ?? []).filter(({ id }) => id !== alertId);
    if (left.length === (account.alerts ?? []).length) throw new Refusal("REFERENCE_NOT_FOUND");
    world.put(internalAccounts, { ...account, alerts: left.length === 0 ? null : left });
  },
};
