import type { Command, Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { toIso } from "../../../std/clock.ts";
import { type InternalAccount, internalAccounts } from "../internal/internal-account.ts";
import { type AlertDirection, type BalanceAlert, isBeyond, MOST_ALERTS } from "./balance-alert.ts";

export interface AddBalanceAlertInput {
  readonly accountId: string;
  readonly direction: AlertDirection;
  readonly amountMinor: bigint;
}

export interface AlertOfAccount {
  readonly account: InternalAccount;
  readonly alert: BalanceAlert;
}

/**
 * Adds an alert. No event is sent when the balance is beyond the amount already. Refuses, in this order: an unknown account; an account
 * with ten alerts; the same alert a second time.
 */
export const addBalanceAlert: Command<AddBalanceAlertInput, AlertOfAccount> = {
  name: "add-balance-alert",
  needs: (_world, { accountId }) => [
    internalAccounts.ref(accountId),
    ledgerAccounts.ref(accountId),
  ],
  decide(world, { accountId, direction, amountMinor }) {
    const account = requireAccount(world, accountId);
    const alerts = account.alerts ?? [];
    const minor = amountMinor.toString();
    if (alerts.length >= MOST_ALERTS) throw tooMany();
    if (alerts.some((alert) => alert.direction === direction && alert.minor === minor))
      throw same();
    const { balanceMinor } = world.get(ledgerAccounts.ref(accountId));
    const alert: BalanceAlert = {
      id: world.newId(),
      direction,
      minor,
      isBeyond: isBeyond({ direction, minor }, balanceMinor),
      createdAt: toIso(world.at),
    };
    return {
      account: world.put(internalAccounts, { ...account, alerts: [...alerts, alert] }),
      alert,
    };
  },
};

export function requireAccount(world: Loaded, accountId: string): InternalAccount {
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return account;
}

function tooMany(): Refusal {
  return new Refusal(
    "CONFLICT",
    { most: MOST_ALERTS },
    `The account has ${MOST_ALERTS} alerts, which is the most; delete one first.`,
  );
}

function same(): Refusal {
  const message = "The account has an alert with this direction and amount already.";
  return new Refusal("CONFLICT", { field: "amount" }, message);
}

interface RemoveBalanceAlertInput {
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
