import {
  type AlertSubject,
  alertDirections,
  type BalanceAlert,
} from "../../domain/accounts/alerts/balance-alert.ts";
import { DateTimeSchema } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

/** An alert with its account. */
export interface ShownAlert extends BalanceAlert {
  readonly accountId: string;
  readonly currency: string;
}

const amountOf = ({ minor }: Pick<BalanceAlert, "minor">) => BigInt(minor);

export const wireBalanceAlert = wireObject("BalanceAlert", ({ of }: Kit<ShownAlert>) => ({
  id: of.id("BalanceAlert", { example: 28 }),
  internalAccountId: of.id("InternalAccount", { from: "accountId", example: 2 }),
  direction: of.enum(alertDirections, {
    description:
      "`BELOW`: told when the available balance falls below `amount`; `ABOVE`: when it rises above it.",
    example: "BELOW",
  }),
  amount: of.amount(amountOf, { example: 10000n }),
  isBeyond: of.boolean({
    description: "The balance is beyond `amount`. It is told again only after it was back.",
    example: false,
  }),
  createdAt: of.json(DateTimeSchema, { example: "2026-11-21T10:00:00.000Z" }),
}));

/** The `data` of an event. */
export const alertedBalance = wireObject("AlertedBalance", ({ of }: Kit<AlertSubject>) => ({
  accountId: of.id("InternalAccount", { example: 2 }),
  alertId: of.id("BalanceAlert", { from: ({ alert }) => alert.id, example: 28 }),
  direction: of.enum(alertDirections, { from: ({ alert }) => alert.direction, example: "BELOW" }),
  balance: of.amount("balanceMinor", { example: 9900n }),
  threshold: of.amount(({ alert }) => amountOf(alert), { example: 10000n }),
}));
