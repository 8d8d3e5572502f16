/** New external accounts as orders that may wait for another person. */
import { toCustomerId } from "../customers/customer.ts";
import {
  type CreateExternalAccountInput,
  createExternalAccount,
} from "../external-accounts/create-external-account.ts";
import {
  type ExternalAccount,
  toExternalAccountId,
} from "../external-accounts/external-account.ts";
import type { HoldableOrder } from "./hold-order.ts";

type PayeeOrder = HoldableOrder<CreateExternalAccountInput, ExternalAccount>;

function payeeOrder(act: string): PayeeOrder {
  return {
    kind: "PAYEE",
    act,
    command: createExternalAccount,
    factsOf: ({ customerId, currency, accountType }) => {
      const owner = customerId === null ? "the platform" : toCustomerId(customerId);
      return { summary: `An external account of ${owner} in ${currency}: ${accountType}` };
    },
    resultOf: ({ id }) => toExternalAccountId(id),
  };
}

export const customerPayeeOrder = payeeOrder("createCustomerExternalAccount");
export const platformPayeeOrder = payeeOrder("createPlatformExternalAccount");
