import type { Command } from "../../engine/command.ts";
import { invalidFields, Refusal } from "../../engine/refusal.ts";
import { ownersOfCustomer } from "../beneficial-owners/beneficial-owner.ts";
import { internalAccountsOfCustomer } from "../internal-accounts/internal-account.ts";
import { type Platform, platforms } from "../platforms/platform.ts";
import type { CustomerSubject } from "../webhooks/subjects.ts";
import {
  type BusinessInfo,
  type Customer,
  type CustomerProfile,
  type CustomerType,
  customers,
} from "./customer.ts";
import {
  chosenCurrencies,
  inferredCurrencies,
  openMissingAccounts,
} from "./customer-currencies.ts";
import { businessFields, individualFields } from "./customer-fields.ts";
import { customerSubject } from "./customer-subject.ts";
import { refuseUnexplained, withFields, withProfile } from "./field-values.ts";
import { notAnSsn } from "./identifiers.ts";
import { domainOf, foreignUmaAddress, umaHandle } from "./uma-address.ts";

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
  readonly businessInfo: Partial<BusinessInfo>;
  /** Whether an identifier was sent that does not look like a social security number. */
  readonly isOtherThanSsn: boolean;
}

/**
 * Changes the fields that were sent. A currency that is new gets an account; accounts of currencies that went stay.
 * Refuses, in this order: an unknown customer, a deleted one, another customer type, an identifier that is not of the
 * customer's idType, an OTHER that is not explained, a currency the platform does not support, one whose provider wants to
 * know more, a UMA address outside its domain. A UMA address that is taken is found by the directory.
 */
export const updateCustomer: Command<UpdateCustomerInput, CustomerSubject> = {
  name: "update-customer",
  needs: (world, { customerId }) => [
    platforms.ref(world.platformId),
    customers.ref(customerId),
    ownersOfCustomer.of(customerId),
    internalAccountsOfCustomer.of(customerId),
  ],
  decide(world, input) {
    const customer = world.find(customers.ref(input.customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    if (input.customerType !== customer.customerType) {
      throw invalidFields([{ field: "customerType", message: "cannot be changed" }]);
    }
    const platform = world.get(platforms.ref(world.platformId));
    const changed = changedFields(customer, input);
    if (input.isOtherThanSsn && changed.profile.idType === "SSN") throw invalidFields([notAnSsn]);
    refuseUnexplained(individualFields, changed.profile);
    refuseUnexplained(businessFields, changed.businessInfo ?? {}, "businessInfo.");
    const currencies = currenciesOf(platform, changed, input.currencies);
    const umaAddress = input.umaAddress ?? customer.umaAddress;
    const isNewAddress = umaAddress !== customer.umaAddress;
    if (isNewAddress && domainOf(umaAddress) !== platform.umaDomain) {
      throw foreignUmaAddress(platform);
    }

    if (isNewAddress) world.claimHandle(umaHandle(umaAddress));
    const updated = world.put(customers, {
      ...changed,
      umaAddress,
      currencies,
      infersCurrencies: customer.infersCurrencies && input.currencies === undefined,
      updatedAt: world.at,
    });
    openMissingAccounts(world, updated);
    return customerSubject(updated, world.all(ownersOfCustomer.of(updated.id)));
  },
};

/** The customer with the fields of its own type in their place. */
function changedFields(customer: Customer, input: UpdateCustomerInput): Customer {
  const { businessInfo } = customer;
  return {
    ...customer,
    ...input.fields,
    profile: withProfile(customer.profile, input.profile),
    businessInfo:
      businessInfo === null ? null : withFields(businessFields, businessInfo, input.businessInfo),
  };
}

function currenciesOf(
  platform: Platform,
  customer: Customer,
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (wanted !== undefined) return chosenCurrencies(platform, { wanted, customer });
  return customer.infersCurrencies ? inferredCurrencies(platform, customer) : customer.currencies;
}
