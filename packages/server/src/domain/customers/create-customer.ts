import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type NewWallet, openAccount } from "../internal-accounts/open-account.ts";
import { type Platform, platforms } from "../platforms/platform.ts";
import { kycOutcomeOf } from "../sandbox/kyc-outcomes.ts";
import type { CustomerSubject } from "../webhooks/subjects.ts";
import { type Customer, customers, type KycStatus, liveByPlatformCustomerId } from "./customer.ts";
import { chosenCurrencies, inferredCurrencies } from "./customer-currencies.ts";
import { businessFields, individualFields } from "./customer-fields.ts";
import { customerSubject, standingEvent } from "./customer-subject.ts";
import { refuseUnexplained, withFields, withProfile } from "./field-values.ts";
import { domainOf, foreignUmaAddress, generatedUmaAddress, umaHandle } from "./uma-address.ts";

export type NewCustomer = Pick<
  Customer,
  | "platformCustomerId"
  | "customerType"
  | "region"
  | "email"
  | "phoneNumber"
  | "address"
  | "fullName"
  | "birthDate"
  | "nationality"
  | "profile"
  | "businessInfo"
  | "identitySealed"
>;

export interface CreateCustomerInput {
  readonly customer: NewCustomer;
  /** Normalized; generated when absent. */
  readonly umaAddress: string | undefined;
  /** When absent, all that the platform supports and whose providers know enough of the customer. */
  readonly currencies: readonly string[] | undefined;
  /** For a customer who can have one. */
  readonly wallet: NewWallet | undefined;
}

const WALLET_CURRENCY = "USDB";

/** Whether a customer with these currencies can have an embedded wallet. */
export function mayHaveWallet(currencies: readonly string[] | undefined): boolean {
  return currencies === undefined || currencies.includes(WALLET_CURRENCY);
}

/**
 * Makes a customer with an internal account for each currency and, where the platform has USDB, an embedded wallet.
 * Refuses, in this order: an OTHER that is not explained, a currency the platform does not support, one whose provider
 * wants to know more, a UMA address outside its domain, a platform customer id that a live customer has. A UMA address
 * that is taken is found by the directory.
 */
export const createCustomer: Command<CreateCustomerInput, CustomerSubject> = {
  name: "create-customer",
  needs: (world, { customer }) => [
    platforms.ref(world.platformId),
    liveByPlatformCustomerId.of(customer.platformCustomerId),
  ],
  decide(world, { customer, umaAddress, currencies, wallet }) {
    const platform = world.get(platforms.ref(world.platformId));
    refuseUnexplained(individualFields, customer.profile);
    refuseUnexplained(businessFields, customer.businessInfo ?? {}, "businessInfo.");
    const chosen =
      currencies === undefined
        ? inferredCurrencies(platform, { ...customer, currencies: [] })
        : chosenCurrencies(platform, { wanted: currencies, customer });
    if (umaAddress !== undefined && domainOf(umaAddress) !== platform.umaDomain) {
      throw foreignUmaAddress(platform);
    }
    if (world.all(liveByPlatformCustomerId.of(customer.platformCustomerId)).length > 0) {
      throw new Refusal(
        "CONFLICT",
        { field: "platformCustomerId" },
        "A customer with this id exists.",
      );
    }

    const id = world.newId();
    const address = umaAddress ?? generatedUmaAddress(id, platform.umaDomain);
    world.claimHandle(umaHandle(address));
    const created = world.put(customers, {
      id,
      ...customer,
      ...keptFields(customer),
      umaAddress: address,
      currencies: chosen,
      infersCurrencies: currencies === undefined,
      ...firstStanding(platform, customer),
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
    for (const currency of chosen) openAccount(world, { customerId: id, currency });
    if (wallet !== undefined && chosen.includes(WALLET_CURRENCY)) {
      openAccount(world, { customerId: id, currency: WALLET_CURRENCY, wallet });
    }
    const subject = customerSubject(created, []);
    const event = standingEvent(created);
    if (event !== undefined) world.emit(event, subject);
    return subject;
  },
};

/** An explanation without the OTHER that it explains is not kept. */
function keptFields({ profile, businessInfo }: NewCustomer) {
  return {
    profile: withProfile({}, profile),
    businessInfo:
      businessInfo === null ? null : withFields(businessFields, businessInfo, businessInfo),
  };
}

/** A regulated institution has checked its customers itself. A sandbox judges a person now, a business when it is submitted. */
function firstStanding(
  platform: Platform,
  { customerType, fullName }: NewCustomer,
): { readonly kycStatus: KycStatus | null; readonly kybStatus: KycStatus | null } {
  const unchecked = platform.isRegulatedFinancialInstitution ? "APPROVED" : "UNVERIFIED";
  if (customerType === "BUSINESS") return { kycStatus: null, kybStatus: unchecked };
  const isSandbox = platform.environment === "SANDBOX";
  return { kycStatus: isSandbox ? kycOutcomeOf(fullName) : unchecked, kybStatus: null };
}
