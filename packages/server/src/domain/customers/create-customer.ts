import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { defineLookup } from "../../storage/tables.ts";
import { type NewWallet, openAccount } from "../internal-accounts/open-account.ts";
import { type Platform, platforms } from "../platforms/platform.ts";
import { kycOutcomeOf } from "../sandbox/kyc-outcomes.ts";
import { type Customer, customers, type KycStatus } from "./customer.ts";
import { customerSubject, kycEvents } from "./customer-subject.ts";
import { domainOf, generatedUmaAddress, umaHandle } from "./uma-address.ts";

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
  | "identitySealed"
>;

export interface CreateCustomerInput {
  readonly customer: NewCustomer;
  /** Normalized; generated when absent. */
  readonly umaAddress: string | undefined;
  /** All that the platform supports when absent. */
  readonly currencies: readonly string[] | undefined;
  /** For a customer who can have one. */
  readonly wallet: NewWallet | undefined;
}

const WALLET_CURRENCY = "USDB";

/** Whether a customer with these currencies can have an embedded wallet. */
export function mayHaveWallet(currencies: readonly string[] | undefined): boolean {
  return currencies === undefined || currencies.includes(WALLET_CURRENCY);
}

export const liveByPlatformCustomerId = defineLookup(customers, {
  by: "platformCustomerId",
  where: { sql: "t.deleted_at is null", holds: (customer) => customer.deletedAt === null },
});

/**
 * Makes a customer with an internal account for each currency and, where the platform has USDB, an embedded wallet.
 * Refuses, in this order: a currency the platform does not support, a UMA address outside its domain, a platform
 * customer id that a live customer has. A UMA address that is taken is found by the directory.
 */
export const createCustomer: Command<CreateCustomerInput, Customer> = {
  name: "create-customer",
  needs: (world, { customer }) => [
    platforms.ref(world.platformId),
    liveByPlatformCustomerId.of(customer.platformCustomerId),
  ],
  decide(world, { customer, umaAddress, currencies, wallet }) {
    const platform = world.get(platforms.ref(world.platformId));
    const chosen = chosenCurrencies(platform, currencies);
    if (umaAddress !== undefined && domainOf(umaAddress) !== platform.umaDomain) {
      throw new Refusal("INVALID_UMA_ADDRESS", { field: "umaAddress", domain: platform.umaDomain });
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
      umaAddress: address,
      currencies: chosen,
      kycStatus: firstKycStatus(platform, customer.fullName),
      kybStatus: null,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
    for (const currency of chosen) openAccount(world, { customerId: id, currency });
    if (wallet !== undefined && chosen.includes(WALLET_CURRENCY)) {
      openAccount(world, { customerId: id, currency: WALLET_CURRENCY, wallet });
    }
    const event = kycEvents[created.kycStatus ?? "UNVERIFIED"];
    if (event !== undefined) world.emit(event, customerSubject(created));
    return created;
  },
};

/** The currencies of a customer: each supported by the platform, none twice. */
export function chosenCurrencies(
  platform: Platform,
  wanted: readonly string[] | undefined,
): readonly string[] {
  const supported = platform.supportedCurrencies.map((currency) => currency.currencyCode);
  if (wanted === undefined) return supported;
  const unsupported = wanted.filter((currency) => !supported.includes(currency));
  if (unsupported.length > 0) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { field: "currencies", unsupported },
      `The platform does not support ${unsupported.join(", ")}.`,
    );
  }
  return [...new Set(wanted)];
}

function firstKycStatus(platform: Platform, fullName: string | null): KycStatus {
  if (platform.environment === "SANDBOX") return kycOutcomeOf(fullName);
  return platform.isRegulatedFinancialInstitution ? "APPROVED" : "UNVERIFIED";
}
