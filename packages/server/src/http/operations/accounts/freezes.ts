import Type, { type Static } from "typebox";
import type { Freeze } from "../../../domain/accounts/freezes/freeze.ts";
import { findInternalAccount } from "../../../domain/accounts/internal/internal-account.sql.ts";
import { toInternalAccountId } from "../../../domain/accounts/internal/internal-account.ts";
import { findCustomer } from "../../../domain/customers/customer.sql.ts";
import { toCustomerId } from "../../../domain/customers/customer.ts";
import {
  freezeAccountOrder,
  freezeCustomerOrder,
  type ShownFreeze,
  shownFreeze,
  unfreezeAccountOrder,
  unfreezeCustomerOrder,
} from "../../../domain/people/approvals/held-freezes.ts";
import {
  FrozenSchema,
  freezeBody,
  freezeOfBody,
  freezeRequestExample,
  frozenExample,
} from "../../../wire/accounts/freeze.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineOperation, isPerson, type Principal, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** The current freeze of the object, or null. */
const frozen = Type.Union([FrozenSchema, Type.Null()]);
export const CustomerUnfreeze = Type.Object({ customerId: Type.String(), frozen });
export const AccountUnfreeze = Type.Object({ accountId: Type.String(), frozen });
/** The content of a freeze: the current freeze and the requested one. */
export const CustomerFreeze = Type.Object({
  ...CustomerUnfreeze.properties,
  ...freezeBody.properties,
});
export const AccountFreeze = Type.Object({
  ...AccountUnfreeze.properties,
  ...freezeBody.properties,
});

/** The content of the order; empty for a token, whose calls do not wait. */
export async function customerFreezeContent(
  { reads }: Pick<Services, "reads">,
  caller: Principal,
  customerId: string,
): Promise<object> {
  if (!isPerson(caller)) return {};
  const customer = await findCustomer(reads, caller.platformId, customerId);
  return { customerId: toCustomerId(customerId), frozen: shown(customer?.frozen) };
}

/** The content of the order; empty for a token, whose calls do not wait. */
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

const freezeCustomer = defineOperation({
  id: "freezeCustomer",
  ...route("POST /customers/{customerId}/freeze", "MANAGE", "customers.freeze"),
  tag: "Customers",
  summary: "Freeze a customer",
  description:
    "All accounts of the customer act frozen: payments from them are refused with CUSTOMER_FROZEN, with the scope `ALL` " +
    "payments to them as well. What was accepted before goes on. A freeze of a frozen customer replaces reason, scope and note.",
  params: Type.Object({ customerId: pathId("Customer") }),
  body: freezeBody,
  requestExample: freezeRequestExample,
  answers: {
    200: {
      description: "The customer, with `frozen`.",
      schema: CustomerSchema,
      example: { ...customerExample, frozen: frozenExample },
    },
  },
  events: ["CUSTOMER.FROZEN", "INTERNAL_ACCOUNT.FROZEN"],
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND", "CUSTOMER_DELETED"],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return submitOrder(services, principal, {
      order: freezeCustomerOrder,
      content: { ...body, ...(await customerFreezeContent(services, principal, customerId)) },
      input: { customerId, freeze: freezeOfBody(body) },
      toAnswer: ({ subject }) => ({ status: 200, body: customerJson(subject) }),
      idempotency,
    });
  },
});

const unfreezeCustomer = defineOperation({
  id: "unfreezeCustomer",
  ...route("POST /customers/{customerId}/unfreeze", "MANAGE", "customers.unfreeze"),
  tag: "Customers",
  summary: "Unfreeze a customer",
  description: "Lifts the customer's freeze. Freezes of single accounts stay.",
  params: Type.Object({ customerId: pathId("Customer") }),
  answers: {
    200: {
      description: "The customer.",
      schema: CustomerSchema,
      example: customerExample,
    },
  },
  events: ["CUSTOMER.UNFROZEN", "INTERNAL_ACCOUNT.UNFROZEN"],
  refusals: ["USER_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return submitOrder(services, principal, {
      order: unfreezeCustomerOrder,
      content: await customerFreezeContent(services, principal, customerId),
      input: { customerId },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
      idempotency,
    });
  },
});

const freezeInternalAccount = defineOperation({
  id: "freezeInternalAccount",
  ...route("POST /internal-accounts/{internalAccountId}/freeze", "MANAGE", "customers.freeze"),
  tag: "Internal accounts",
  summary: "Freeze an internal account",
  description:
    "Payments from the account are refused with ACCOUNT_FROZEN, with the scope `ALL` payments to it as well. What was " +
    "accepted before goes on. A freeze of a frozen account replaces reason, scope and note.",
  params: Type.Object({ internalAccountId: pathId("InternalAccount") }),
  body: freezeBody,
  requestExample: freezeRequestExample,
  answers: {
    200: {
      description: "The account, `FROZEN`.",
      schema: InternalAccountSchema,
      example: { ...internalAccountExample, status: "FROZEN", frozen: frozenExample },
    },
  },
  events: ["INTERNAL_ACCOUNT.FROZEN"],
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const accountId = requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND");
    return submitOrder(services, principal, {
      order: freezeAccountOrder,
      content: { ...body, ...(await accountFreezeContent(services, principal, accountId)) },
      input: { accountId, freeze: freezeOfBody(body) },
      toAnswer: ({ subject }) => ({ status: 200, body: internalAccountJson(subject) }),
      idempotency,
    });
  },
});

const unfreezeInternalAccount = defineOperation({
  id: "unfreezeInternalAccount",
  ...route("POST /internal-accounts/{internalAccountId}/unfreeze", "MANAGE", "customers.unfreeze"),
  tag: "Internal accounts",
  summary: "Unfreeze an internal account",
  description: "Lifts the account's own freeze. A freeze of its customer stays.",
  params: Type.Object({ internalAccountId: pathId("InternalAccount") }),
  answers: {
    200: {
      description: "The account.",
      schema: InternalAccountSchema,
      example: internalAccountExample,
    },
  },
  events: ["INTERNAL_ACCOUNT.UNFROZEN"],
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const accountId = requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND");
    return submitOrder(services, principal, {
      order: unfreezeAccountOrder,
      content: await accountFreezeContent(services, principal, accountId),
      input: { accountId },
      toAnswer: (account) => ({ status: 200, body: internalAccountJson(account) }),
      idempotency,
    });
  },
});

export const freezeOperations = [
  freezeCustomer,
  unfreezeCustomer,
  freezeInternalAccount,
  unfreezeInternalAccount,
];
