/**
 * New external accounts as orders that may wait for another person. An account that receives the customer's incoming UMA money sends
 * money out without a further order, so it waits under the rule of payments.
 */

import {
  type CreateExternalAccountInput,
  createExternalAccount,
  takesIncomingMoney,
} from "../../accounts/external/create-external-account.ts";
import {
  type ExternalAccount,
  toExternalAccountId,
} from "../../accounts/external/external-account.ts";
import { toCustomerId } from "../../customers/customer.ts";
import type { HoldableOrder } from "./hold-order.ts";

type PayeeOrder = HoldableOrder<CreateExternalAccountInput, ExternalAccount>;

function payeeOrder(act: string): PayeeOrder {
  return {
    kind: "PAYEE",
    otherKind: "PAYMENT",
    act,
    command: createExternalAccount,
    factsOf: ({ customerId, currency, accountType }, { input }) => {
      const owner = customerId === null ? "the platform" : toCustomerId(customerId);
      const account = `An external account of ${owner} in ${currency}: ${accountType}`;
      if (!takesIncomingMoney(input)) return { summary: account };
      const summary = `${account}; it takes their incoming UMA payments`;
      return { summary, kinds: ["PAYMENT", "PAYEE"] };
    },
    resultOf: ({ id }) => toExternalAccountId(id),
  };
}

export const customerPayeeOrder = payeeOrder("createCustomerExternalAccount");
export const platformPayeeOrder = payeeOrder("createPlatformExternalAccount");
