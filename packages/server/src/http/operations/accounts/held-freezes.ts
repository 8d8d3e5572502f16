/** Freezes and their ends as orders: their content, and their inputs when people have agreed. */

import type { Freeze } from "../../../domain/accounts/freezes/freeze.ts";
import { findInternalAccount } from "../../../domain/accounts/internal/internal-account.sql.ts";
import { toInternalAccountId } from "../../../domain/accounts/internal/internal-account.ts";
import { findCustomer } from "../../../domain/customers/customer.sql.ts";
import { toCustomerId } from "../../../domain/customers/customer.ts";
import { type ShownFreeze, shownFreeze } from "../../../domain/people/approvals/held-freezes.ts";
import { freezeOfBody } from "../../../wire/accounts/freeze.ts";
import { requireId } from "../../../wire/ids.ts";
import { isPerson, type Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** The object, the freeze that it has, and the freeze that is asked for in its place. */
export interface FreezeContent extends Partial<Parameters<typeof freezeOfBody>[0]> {
  readonly customerId?: string;
  readonly accountId?: string;
  readonly frozen: ShownFreeze | null;
}

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

export function agreedOnCustomer({ customerId = "", frozen }: FreezeContent) {
  return { customerId: requireId("Customer", customerId, "USER_NOT_FOUND"), shown: frozen };
}

export function agreedOnAccount({ accountId = "", frozen }: FreezeContent) {
  return {
    accountId: requireId("InternalAccount", accountId, "REFERENCE_NOT_FOUND"),
    shown: frozen,
  };
}

/** The freeze that is asked for. */
export function freezeIn(content: FreezeContent) {
  return { freeze: freezeOfBody(content as Parameters<typeof freezeOfBody>[0]) };
}
