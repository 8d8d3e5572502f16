/**
 * Alerts on the available balance of an internal account. They are stored in the row of the account, which every payment from or to it
 * loads anyway, so an account without alerts costs nothing. An alert sends its event when the balance goes beyond its amount, and the next
 * one only after the balance came back.
 */
import { present } from "../../../std/assert.ts";

export const alertDirections = ["BELOW", "ABOVE"] as const;
export type AlertDirection = (typeof alertDirections)[number];

/** A type, not an interface: an interface is not assignable to a JSON type. */
export type BalanceAlert = {
  readonly id: string;
  readonly direction: AlertDirection;
  /** In minor units, as text: JSON has no whole numbers of this size. */
  readonly minor: string;
  /** Whether the balance is beyond the amount; while it is, no further event is sent. */
  readonly isBeyond: boolean;
  readonly createdAt: string;
};

export const MOST_ALERTS = 10;

export interface AlertSubject {
  readonly kind: "AlertedBalance";
  /** The account's id, so that the events of its alerts are delivered in order. */
  readonly id: string;
  readonly accountId: string;
  readonly alert: BalanceAlert;
  readonly balanceMinor: bigint;
  readonly currency: string;
}

export function isBeyond(
  { direction, minor }: Pick<BalanceAlert, "direction" | "minor">,
  balanceMinor: bigint,
): boolean {
  const amount = BigInt(minor);
  return direction === "BELOW" ? balanceMinor < amount : balanceMinor > amount;
}

/** The alerts updated to this balance, and those whose amount it has just passed; undefined when nothing changes. */
export function alertsAt(
  alerts: readonly BalanceAlert[],
  balanceMinor: bigint,
):
  | { readonly alerts: readonly BalanceAlert[]; readonly crossed: readonly BalanceAlert[] }
  | undefined {
  const now = alerts.map((alert) => ({ ...alert, isBeyond: isBeyond(alert, balanceMinor) }));
  const hasChanged = now.some(
    (alert, at) => alert.isBeyond !== present(alerts[at], "an alert").isBeyond,
  );
  if (!hasChanged) return undefined;
  const crossed = now.filter(
    (alert, at) => alert.isBeyond && !present(alerts[at], "an alert").isBeyond,
  );
  return { alerts: now, crossed };
}
