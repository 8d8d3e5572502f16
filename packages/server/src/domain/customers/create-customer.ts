import type { Command } from "../../engine/command.ts";
import { Refusal, refuseFaults } from "../../engine/refusal.ts";
import { type NewWallet, openAccount } from "../accounts/internal/open-account.ts";
import { type Platform, platforms } from "../platform.ts";
import { type Customer, customers, type KycStatus, liveByPlatformCustomerId } from "./customer.ts";
import { inferredCurrencies } from "./customer-currencies.ts";
import { customerFaults, refusePlatformAddress } from "./customer-faults.ts";
import { type CustomerSubject, customerSubject, standingEvent } from "./customer-subject.ts";
import { withProfile } from "./field-values.ts";
import { kycOutcomeOf } from "./kyc-outcomes.ts";
import { generatedUmaAddress, umaHandle } from "./uma-address.ts";

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
  | "identityHasSsnForm"
  | "metadata"
>;

export interface CreateCustomerInput {
  readonly customer: NewCustomer;
  /** Normalized; generated when absent. */
  readonly umaAddress: string | undefined;
  /**
   * When absent: all currencies that the platform supports and whose providers have the customer's data that they require.
   */
  readonly currencies: readonly string[] | undefined;
  /** Undefined for a customer who cannot have an embedded wallet. */
  readonly wallet: NewWallet | undefined;
}

const WALLET_CURRENCY = "USDB";

/** The reason of the refusal that makes the caller generate wallet keys and submit the command again. */
export const WALLET_NEEDED = "the customer gets a wallet";
const NO_WALLET = "The platform supports USDB since the request came in; send it again.";

/** Whether a customer with these currencies can have an embedded wallet. */
export function mayHaveWallet(currencies: readonly string[] | undefined): boolean {
  return currencies === undefined || currencies.includes(WALLET_CURRENCY);
}

/**
 * Creates a customer with an internal account for each currency and, where the platform has USDB, an embedded wallet.
 * Refuses, in this order: all that `customerFaults` finds, the platform's own UMA address, a platform customer id of a live
 * customer, a wallet without keys. The directory refuses a UMA address that another customer has or had, deleted customers
 * included.
 */
export const createCustomer: Command<CreateCustomerInput, CustomerSubject> = {
  name: "create-customer",
  needs: (world, { customer }) => [
    platforms.ref(world.platformId),
    liveByPlatformCustomerId.of(customer.platformCustomerId),
  ],
  decide(world, { customer, umaAddress, currencies, wallet }) {
    const platform = world.get(platforms.ref(world.platformId));
    const wish = { customer, dates: customer, currencies, umaAddress };
    refuseFaults(customerFaults(platform, wish, world.at));
    if (umaAddress !== undefined) refusePlatformAddress(umaAddress);
    if (world.all(liveByPlatformCustomerId.of(customer.platformCustomerId)).length > 0) {
      throw new Refusal(
        "CONFLICT",
        { field: "platformCustomerId" },
        `A customer with the platformCustomerId ${customer.platformCustomerId} exists; use another one, or PATCH that customer.`,
      );
    }

    const chosen =
      currencies === undefined
        ? inferredCurrencies(platform, { ...customer, currencies: [] })
        : [...new Set(currencies)];
    const hasWallet = chosen.includes(WALLET_CURRENCY);
    if (hasWallet && wallet === undefined) {
      throw new Refusal("CONFLICT", { reason: WALLET_NEEDED }, NO_WALLET, false);
    }
    const id = world.newId();
    const address = umaAddress ?? generatedUmaAddress(id, platform.umaDomain);
    world.claimHandle(umaHandle(platform.environment, address));
    const created = world.put(customers, {
      id,
      ...customer,
      // Drops an explanation if the field that it explains is not OTHER.
      profile: withProfile({}, customer.profile),
      umaAddress: address,
      formerUmaAddresses: [],
      frozen: null,
      currencies: chosen,
      infersCurrencies: currencies === undefined,
      ...firstStanding(platform, customer),
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
    for (const currency of chosen) openAccount(world, { customerId: id, currency });
    if (wallet !== undefined && hasWallet) {
      openAccount(world, { customerId: id, currency: WALLET_CURRENCY, wallet });
    }
    const subject = customerSubject(created, []);
    const event = isJudgedAtOnce(platform, customer) ? standingEvent(created) : undefined;
    if (event !== undefined) world.emit(event, subject);
    return subject;
  },
};

/** A sandbox decides a person's check at creation, and a business's check when it is submitted. */
function isJudgedAtOnce({ environment }: Platform, { customerType }: NewCustomer): boolean {
  return environment === "SANDBOX" && customerType === "INDIVIDUAL";
}

/** A regulated institution checks its customers itself: they are created APPROVED, without an event. */
function firstStanding(
  platform: Platform,
  customer: NewCustomer,
): { readonly kycStatus: KycStatus | null; readonly kybStatus: KycStatus | null } {
  const unchecked = platform.isRegulatedFinancialInstitution ? "APPROVED" : "UNVERIFIED";
  if (customer.customerType === "BUSINESS") return { kycStatus: null, kybStatus: unchecked };
  const judged = isJudgedAtOnce(platform, customer) ? kycOutcomeOf(customer.fullName) : unchecked;
  return { kycStatus: judged, kybStatus: null };
}
