/** Which currencies a customer uses: those that it chose, or all of the platform's whose providers know enough of it. */
import type { World } from "../../engine/command.ts";
import type { CodedFault } from "../../engine/refusal.ts";
import { getCurrency } from "../../money/currency.ts";
import { isMoneyOf } from "../../money/currency-regions.ts";
import { internalAccountsOfCustomer } from "../internal-accounts/internal-account.ts";
import { openAccount } from "../internal-accounts/open-account.ts";
import type { Platform } from "../platforms/platform.ts";
import { type ProviderField, providerFieldsOf } from "../platforms/provider-fields.ts";
import type { Customer } from "./customer.ts";

/** What providers may ask for. */
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

/** A business has a name, a beginning and a home too. */
const BUSINESS_FIELDS: FieldPresence = {
  FULL_NAME: ({ businessInfo }) => businessInfo?.legalName !== undefined,
  BIRTH_DATE: ({ businessInfo }) => businessInfo?.incorporatedOn !== undefined,
  NATIONALITY: ({ businessInfo }) => businessInfo?.country !== undefined,
  POSTAL_ADDRESS: ({ address }) => address !== null,
  TAX_ID: ({ businessInfo }) => businessInfo?.taxId !== undefined,
};

/** What the providers of a currency want and the customer does not have. */
function missingFor(currency: string, customer: KnownOfCustomer): readonly ProviderField[] {
  const has = customer.customerType === "BUSINESS" ? BUSINESS_FIELDS : PERSON_FIELDS;
  return providerFieldsOf(currency).customer.filter((field) => !has[field](customer));
}

/** Each chosen currency that the platform does not support, and each whose provider wants to know more. */
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

/** One fault for all currencies that are wrong alike; none without any. */
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
 * For a customer that did not choose: what it has, and what the platform supports and it may use. Where the platform has
 * money of the customer's region, other countries' money is left out, also as long as the provider of that money wants to
 * know more; crypto is at home everywhere.
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

/** Opens an account for each currency of the customer that has none; accounts of other currencies stay. */
export function openMissingAccounts(
  world: World,
  customer: Pick<Customer, "id" | "currencies">,
): void {
  const held = new Set(
    world.all(internalAccountsOfCustomer.of(customer.id)).map((account) => account.currency),
  );
  for (const currency of customer.currencies) {
    if (!held.has(currency)) openAccount(world, { customerId: customer.id, currency });
  }
}
