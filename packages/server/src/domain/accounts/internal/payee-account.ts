import type { Loaded } from "../../../engine/command.ts";
import { takesCredits } from "../freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccountsOfCustomer,
  isDefaultAccount,
} from "./internal-account.ts";

/**
 * The account that a payment to a customer's address is credited to: the default one in the currency. Undefined when it takes no money, or
 * the customer has dropped the currency. A wallet whose keys they hold is never paid into by default.
 */
export function payeeAccount(
  world: Loaded,
  {
    customer,
    currency,
  }: {
    readonly customer: { readonly id: string; readonly currencies: readonly string[] };
    readonly currency: string;
  },
): InternalAccount | undefined {
  if (!customer.currencies.includes(currency)) return undefined;
  const account = world
    .all(internalAccountsOfCustomer.of(customer.id))
    .find(
      (each) =>
        each.currency === currency && isDefaultAccount(each) && each.type !== "EMBEDDED_WALLET",
    );
  const takesMoney =
    account?.status === "ACTIVE" && (account.frozen === null || takesCredits(account));
  return takesMoney ? account : undefined;
}
