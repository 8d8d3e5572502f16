/**
 * A freeze stops debits of an internal account, or of every account of a customer. With the scope ALL it stops credits too. Payments that
 * were accepted before the freeze continue: they settle, or are refunded to the frozen account.
 */
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { InternalAccount } from "../internal/internal-account.ts";

export const freezeReasons = [
  "SUSPECTED_FRAUD",
  "LEGAL_ORDER",
  "COMPLIANCE",
  "CUSTOMER_REQUEST",
  "OTHER",
] as const;

export const freezeScopes = ["DEBITS", "ALL"] as const;

export interface Freeze {
  readonly reason: (typeof freezeReasons)[number];
  readonly scope: (typeof freezeScopes)[number];
  /** For the operator only; never part of a response or an event. */
  readonly note: string | null;
  readonly since: string;
}

/** The freeze that applies to an account: its own, otherwise its customer's. */
export function freezeOf({ frozen, customerFreeze }: InternalAccount): Freeze | null {
  return frozen ?? customerFreeze;
}

/** Refuses to take money from a frozen account: ACCOUNT_FROZEN, or CUSTOMER_FROZEN when only its customer is frozen. */
export function refuseFrozenDebit(account: InternalAccount, field: string): void {
  const freeze = freezeOf(account);
  if (freeze !== null) throw frozenRefusal(account, { freeze, field });
}

/** Refuses to put money on an account whose freeze has the scope ALL. */
export function refuseFrozenCredit(account: InternalAccount, field: string): void {
  const freeze = creditFreezeOf(account);
  if (freeze !== undefined) throw frozenRefusal(account, { freeze, field });
}

/** Ends what waits for money from outside to the account, or to an account of the customer, which is not credited any more. */
export function stopAwaited(world: World, holderId: string): void {
  const payload = { holderId, after: null };
  scheduleJob(world, { kind: "stop-uma-invoices", payload, dueAt: world.at });
}

export function takesCredits(account: InternalAccount): boolean {
  return creditFreezeOf(account) === undefined;
}

function creditFreezeOf({ frozen, customerFreeze }: InternalAccount): Freeze | undefined {
  return [frozen, customerFreeze].find((each) => each?.scope === "ALL") ?? undefined;
}

function frozenRefusal(
  account: InternalAccount,
  { freeze, field }: { readonly freeze: Freeze; readonly field: string },
): Refusal {
  const { reason, scope, since } = freeze;
  const details = { field, frozen: { reason, scope, since } };
  const isAccounts = freeze === account.frozen;
  const what = isAccounts ? "account" : "customer of the account";
  const message = `${field}: the ${what} is frozen since ${since}; an unfreeze lifts that.`;
  return new Refusal(isAccounts ? "ACCOUNT_FROZEN" : "CUSTOMER_FROZEN", details, message);
}

/** Refuses payments for a frozen customer that are funded from outside the platform. */
export function refuseFrozenCustomer(freeze: Freeze | null): void {
  if (freeze === null) return;
  const { reason, scope, since } = freeze;
  throw new Refusal(
    "CUSTOMER_FROZEN",
    { frozen: { reason, scope, since } },
    `The customer is frozen since ${since}; an unfreeze lifts that.`,
  );
}

/** The refusal to lift a freeze that does not exist. */
export function notFrozen(what: "account" | "customer"): Refusal {
  return new Refusal("CONFLICT", { frozen: false }, `The ${what} is not frozen.`);
}
