/**
 * The currencies of a customer: those that were chosen, or all of the platform's whose providers have the data that they
 * require.
 */
import type { World } from "../../engine/command.ts";
import type { CodedFault } from "../../engine/refusal.ts";
import { getCurrency } from "../../money/currency.ts";
import { isMoneyOf } from "../../money/currency-regions.ts";
import {
  internalAccountsOfCustomer,
  isDefaultAccount,
} from "../accounts/internal/internal-account.ts";
import { openAccount } from "../accounts/internal/open-account.ts";
import type { Platform } from "../platform.ts";
import { type ProviderField, providerFieldsOf } from "../provider-fields.ts";
import type { Customer } from "./customer.ts";

/** The customer's fields that providers can require. */
export type KnownOfCustomer = Pick<
  Customer,
  | "customerType"
  | "region"
  | "address"
  | "fullName"
  | "birthDate"
  | "nationality"
  | "businessInfo"
  | "identitySealed"
>;

type FieldPresence = Readonly<Record<ProviderField, (customer: KnownOfCustomer) => boolean>>;

const PERSON_FIELDS: FieldPresence = {
  FULL_NAME: ({ fullName }) => fullName !== null,
  BIRTH_DATE: ({ birthDate }) => birthDate !== null,
  NATIONALITY: ({ nationality }) => nationality !== null,
  POSTAL_ADDRESS: ({ address }) => address !== null,
  TAX_ID: ({ identitySealed }) => identitySealed !== null,
};

/** For a business: the fields that take the place of a person's name, birth date and nationality. */
const BUSINESS_FIELDS: FieldPresence = {
  FULL_NAME: ({ businessInfo }) => businessInfo?.legalName !== undefined,
  BIRTH_DATE: ({ businessInfo }) => businessInfo?.incorporatedOn !== undefined,
  NATIONALITY: ({ businessInfo }) => businessInfo?.country !== undefined,
  POSTAL_ADDRESS: ({ address }) => address !== null,
  TAX_ID: ({ businessInfo }) => businessInfo?.taxId !== undefined,
};

/** The fields that the providers of a currency require and the customer lacks. */
function missingFor(currency: string, customer: KnownOfCustomer): readonly ProviderField[] {
  const has = customer.customerType === "BUSINESS" ? BUSINESS_FIELDS : PERSON_FIELDS;
  return providerFieldsOf(currency).customer.filter((field) => !has[field](customer));
}

/** Each chosen currency that the platform does not support or whose provider requires more data. */
export function currencyFaults(
  platform: Platform,
  { wanted, customer }: { readonly wanted: readonly string[]; readonly customer: KnownOfCustomer },
): readonly CodedFault[] {
  const supported = supportedCodes(platform);
  const chosen = [...new Set(wanted)];
  const unsupported = chosen.filter((currency) => !supported.includes(currency));
  const wanting = chosen
    .filter((currency) => supported.includes(currency))
    .map((currency) => ({ currency, fields: missingFor(currency, customer) }))
    .filter(({ fields }) => fields.length > 0);
  return [
    ...unsupportedFault(unsupported, "the platform does not support"),
    ...wanting.map(({ currency, fields }): CodedFault => {
      const message = `${currency} needs more to be known: ${fields.join(", ")}`;
      return {
        code: "MISSING_MANDATORY_USER_INFO",
        error: { field: "currencies", message },
        details: { field: "currencies", missing: wanting },
      };
    }),
  ];
}

/** One fault for all unsupported currencies; empty without any. */
export function unsupportedFault(
  unsupported: readonly string[],
  what: string,
): readonly CodedFault[] {
  if (unsupported.length === 0) return [];
  const message = `${what} ${unsupported.join(", ")}`;
  return [
    {
      code: "INVALID_CURRENCY",
      error: { field: "currencies", message },
      details: { field: "currencies", unsupported },
    },
  ];
}

/**
 * The currencies of a customer without a choice: the present ones, and those that the platform supports and the customer may
 * use. Where the platform has the currency of the customer's region, currencies of other countries are left out, even while
 * the provider of that currency requires more data. Crypto belongs to every region.
 */
export function inferredCurrencies(
  platform: Platform,
  customer: KnownOfCustomer & { readonly currencies: readonly string[] },
): readonly string[] {
  const usable = inRegion(customer.region, supportedCodes(platform)).filter(
    (currency) => missingFor(currency, customer).length === 0,
  );
  return [...new Set([...customer.currencies, ...usable])];
}

function inRegion(region: string | null, supported: readonly string[]): readonly string[] {
  const local = supported.filter((currency) => region !== null && isMoneyOf(region, currency));
  if (local.length === 0) return supported;
  return supported.filter(
    (currency) => local.includes(currency) || getCurrency(currency).kind === "crypto",
  );
}

function supportedCodes(platform: Platform): readonly string[] {
  return platform.supportedCurrencies.map((currency) => currency.currencyCode);
}

/** Opens a default account for each currency of the customer that has none; accounts of other currencies stay. */
export function openMissingAccounts(
  world: World,
  customer: Pick<Customer, "id" | "currencies" | "frozen">,
): void {
  const held = new Set(
    world
      .all(internalAccountsOfCustomer.of(customer.id))
      .filter(isDefaultAccount)
      .map((account) => account.currency),
  );
  for (const currency of customer.currencies) {
    if (!held.has(currency)) {
      const { id: customerId, frozen: customerFreeze } = customer;
      openAccount(world, { customerId, customerFreeze, currency });
    }
  }
}
