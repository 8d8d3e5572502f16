import type { Command } from "../../engine/command.ts";
import { type CodedFault, invalid, Refusal, refuseFaults } from "../../engine/refusal.ts";
import { internalAccountsOfCustomer } from "../accounts/internal/internal-account.ts";
import { type Platform, platforms } from "../platform.ts";
import { ownersOfCustomer } from "./beneficial-owners/beneficial-owner.ts";
import {
  type BusinessInfo,
  type Customer,
  type CustomerProfile,
  type CustomerType,
  customers,
} from "./customer.ts";
import { inferredCurrencies, openMissingAccounts } from "./customer-currencies.ts";
import { customerFaults, notAnSsn, refusePlatformAddress } from "./customer-faults.ts";
import { businessFields } from "./customer-fields.ts";
import { type CustomerSubject, customerSubject } from "./customer-subject.ts";
import { withFields, withProfile } from "./field-values.ts";
import { umaHandle } from "./uma-address.ts";

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
      | "identityHasSsnForm"
      | "metadata"
    >
  >;
  /** Only the members that were sent. */
  readonly profile: CustomerProfile;
  readonly businessInfo: Partial<BusinessInfo>;
}

/** The largest number of addresses of a customer. Former addresses stay reserved and are kept in the customer's row. */
const MOST_UMA_ADDRESSES = 100;

/**
 * Changes the fields that were sent. A new currency gets an account; accounts of removed currencies stay. A former UMA
 * address of the customer can be set again. Refuses, in this order: an unknown customer, a deleted one, and, all in one
 * answer: another customer type, an identifier that does not fit the customer's idType, all that `customerFaults` finds;
 * then the platform's own UMA address, and one address too many. The directory refuses an address that another customer has
 * or had.
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
    const platform = world.get(platforms.ref(world.platformId));
    const changed = changedFields(customer, input);
    const { umaAddress = customer.umaAddress } = input;
    const isNewAddress = umaAddress !== customer.umaAddress;
    const wish = {
      customer: changed,
      dates: { birthDate: input.fields.birthDate, businessInfo: input.businessInfo },
      currencies: input.currencies,
      umaAddress: isNewAddress ? umaAddress : undefined,
    };
    refuseFaults([
      ...ownFaults(customer, changed, input),
      ...customerFaults(platform, wish, world.at),
    ]);
    if (isNewAddress) refusePlatformAddress(umaAddress);

    const { formerUmaAddresses } = customer;
    const isNeverHad = isNewAddress && !formerUmaAddresses.includes(umaAddress);
    if (isNeverHad && formerUmaAddresses.length + 1 >= MOST_UMA_ADDRESSES) {
      const message = `A customer can have ${MOST_UMA_ADDRESSES} UMA addresses, one after the other.`;
      throw new Refusal("CONFLICT", { field: "umaAddress" }, message);
    }

    if (isNeverHad) world.claimHandle(umaHandle(platform.environment, umaAddress));
    const updated = world.put(customers, {
      ...changed,
      umaAddress,
      formerUmaAddresses: isNewAddress
        ? [...formerUmaAddresses.filter((former) => former !== umaAddress), customer.umaAddress]
        : formerUmaAddresses,
      currencies: currenciesOf(platform, changed, input.currencies),
      infersCurrencies: customer.infersCurrencies && input.currencies === undefined,
      updatedAt: world.at,
    });
    openMissingAccounts(world, updated);
    return customerSubject(updated, world.all(ownersOfCustomer.of(updated.id)));
  },
};

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

/** Faults that depend on the stored values. */
function ownFaults(
  customer: Customer,
  changed: Customer,
  { customerType }: UpdateCustomerInput,
): readonly CodedFault[] {
  const faults: CodedFault[] = [];
  if (customerType !== customer.customerType) {
    faults.push(invalid("customerType", "cannot be changed"));
  }
  if (changed.profile.idType === "SSN" && changed.identitySealed !== null) {
    // If the form of the number was not recorded, the idType under which it was accepted decides.
    const isSsn = changed.identityHasSsnForm ?? customer.profile.idType === "SSN";
    if (!isSsn) faults.push(notAnSsn);
  }
  return faults;
}

function currenciesOf(
  platform: Platform,
  customer: Customer,
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (wanted !== undefined) return [...new Set(wanted)];
  return customer.infersCurrencies ? inferredCurrencies(platform, customer) : customer.currencies;
}
