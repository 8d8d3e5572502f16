/** Freezes and their ends as orders: their content, and their inputs when people have agreed. */

import Type, { type Static } from "typebox";
import type { Freeze } from "../../../domain/accounts/freezes/freeze.ts";
import { findInternalAccount } from "../../../domain/accounts/internal/internal-account.sql.ts";
import { toInternalAccountId } from "../../../domain/accounts/internal/internal-account.ts";
import { findCustomer } from "../../../domain/customers/customer.sql.ts";
import { toCustomerId } from "../../../domain/customers/customer.ts";
import { type ShownFreeze, shownFreeze } from "../../../domain/people/approvals/held-freezes.ts";
import { FrozenSchema, freezeBody } from "../../../wire/accounts/freeze.ts";
import { requireId } from "../../../wire/ids.ts";
import { isPerson, type Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** The freeze that the object has. */
const frozen = Type.Union([FrozenSchema, Type.Null()]);
export const CustomerUnfreeze = Type.Object({ customerId: Type.String(), frozen });
export const AccountUnfreeze = Type.Object({ accountId: Type.String(), frozen });
/** With the freeze that is asked for in its place. */
export const CustomerFreeze = Type.Object({
  ...CustomerUnfreeze.properties,
  ...freezeBody.properties,
});
export const AccountFreeze = Type.Object({
  ...AccountUnfreeze.properties,
  ...freezeBody.properties,
});

/** Empty for a token, whose calls do not wait. */
export async function customerFreezeContent(
  { reads }: Pick<Services, "reads">,
  caller: Principal,
  customerId: string,
): Promise<object> {
  if (!isPerson(caller)) return {};
  const customer = await findCustomer(reads, caller.platformId, customerId);
  return { customerId: toCustomerId(customerId), frozen: shown(customer?.frozen) };
}

/** Empty for a token, whose calls do not wait. */
export async function accountFreezeContent(
  { reads }: Pick<Services, "reads">,
  caller: Principal,
  accountId: string,
): Promise<object> {
  if (!isPerson(caller)) return {};
  const found = await findInternalAccount(reads, caller.platformId, accountId);
  return { accountId: toInternalAccountId(accountId), frozen: shown(found?.account.frozen) };
}

function shown(freeze: Freeze | null | undefined): ShownFreeze | null {
  return freeze ? shownFreeze(freeze) : null;
}

export function agreedOnCustomer({ customerId, frozen }: Static<typeof CustomerUnfreeze>) {
  return { customerId: requireId("Customer", customerId, "USER_NOT_FOUND"), shown: frozen };
}

export function agreedOnAccount({ accountId, frozen }: Static<typeof AccountUnfreeze>) {
  return {
    accountId: requireId("InternalAccount", accountId, "REFERENCE_NOT_FOUND"),
    shown: frozen,
  };
}
