import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { internalAccountsOfCustomer } from "../internal-accounts/internal-account.ts";
import { openAccount } from "../internal-accounts/open-account.ts";
import { platforms } from "../platforms/platform.ts";
import { chosenCurrencies } from "./create-customer.ts";
import { type Customer, type CustomerProfile, type CustomerType, customers } from "./customer.ts";
import { domainOf, umaHandle } from "./uma-address.ts";

export interface UpdateCustomerInput {
  readonly customerId: string;
  readonly customerType: CustomerType;
  readonly umaAddress?: string | undefined;
  readonly currencies?: readonly string[] | undefined;
  /** Only the fields that were sent. */
  readonly fields: Partial<
    Pick<
      Customer,
      | "email"
      | "phoneNumber"
      | "address"
      | "fullName"
      | "birthDate"
      | "nationality"
      | "identitySealed"
    >
  >;
  /** Only the members that were sent. */
  readonly profile: CustomerProfile;
}

/**
 * Changes the fields that were sent. A currency that is new gets an account; accounts of currencies that went stay.
 * Refuses, in this order: an unknown customer, a deleted one, another customer type, a currency the platform does not
 * support, a UMA address outside its domain. A UMA address that is taken is found by the directory.
 */
export const updateCustomer: Command<UpdateCustomerInput, Customer> = {
  name: "update-customer",
  needs: (world, { customerId }) => [
    platforms.ref(world.platformId),
    customers.ref(customerId),
    internalAccountsOfCustomer.of(customerId),
  ],
  decide(world, input) {
    const customer = world.find(customers.ref(input.customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    if (input.customerType !== customer.customerType) {
      throw new Refusal("INVALID_INPUT", { field: "customerType", reason: "cannot be changed" });
    }
    const platform = world.get(platforms.ref(world.platformId));
    const currencies =
      input.currencies === undefined
        ? customer.currencies
        : chosenCurrencies(platform, input.currencies);
    const umaAddress = input.umaAddress ?? customer.umaAddress;
    const isNewAddress = umaAddress !== customer.umaAddress;
    if (isNewAddress && domainOf(umaAddress) !== platform.umaDomain) {
      throw new Refusal("INVALID_UMA_ADDRESS", { field: "umaAddress", domain: platform.umaDomain });
    }

    if (isNewAddress) world.claimHandle(umaHandle(umaAddress));
    const held = new Set(
      world.all(internalAccountsOfCustomer.of(customer.id)).map((account) => account.currency),
    );
    for (const currency of currencies) {
      if (!held.has(currency)) openAccount(world, { customerId: customer.id, currency });
    }
    return world.put(customers, {
      ...customer,
      ...input.fields,
      profile: { ...customer.profile, ...input.profile },
      umaAddress,
      currencies,
      updatedAt: world.at,
    });
  },
};
