/** Which currencies a customer uses: those that it chose, or all of the platform's whose providers know enough of it. */
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { internalAccountsOfCustomer } from "../internal-accounts/internal-account.ts";
import { openAccount } from "../internal-accounts/open-account.ts";
import type { Platform } from "../platforms/platform.ts";
import { type ProviderField, providerFieldsOf } from "../platforms/provider-fields.ts";
import type { Customer } from "./customer.ts";

/** What providers may ask for. */
export type KnownOfCustomer = Pick<
  Customer,
  | "customerType"
  | "address"
  | "fullName"
  | "birthDate"
  | "nationality"
  | "businessInfo"
  | "identitySealed"
>;

type Having = Readonly<Record<ProviderField, (customer: KnownOfCustomer) => boolean>>;

const PERSON_HAS: Having = {
  FULL_NAME: ({ fullName }) => fullName !== null,
  BIRTH_DATE: ({ birthDate }) => birthDate !== null,
  NATIONALITY: ({ nationality }) => nationality !== null,
  POSTAL_ADDRESS: ({ address }) => address !== null,
  TAX_ID: ({ identitySealed }) => identitySealed !== null,
};

/** A business has a name, a beginning and a home too. */
const BUSINESS_HAS: Having = {
  FULL_NAME: ({ businessInfo }) => businessInfo?.legalName !== undefined,
  BIRTH_DATE: ({ businessInfo }) => businessInfo?.incorporatedOn !== undefined,
  NATIONALITY: ({ businessInfo }) => businessInfo?.country !== undefined,
  POSTAL_ADDRESS: ({ address }) => address !== null,
  TAX_ID: ({ businessInfo }) => businessInfo?.taxId !== undefined,
};

/** What the providers of a currency want and the customer does not have. */
function missingFor(currency: string, customer: KnownOfCustomer): readonly ProviderField[] {
  const has = customer.customerType === "BUSINESS" ? BUSINESS_HAS : PERSON_HAS;
  return providerFieldsOf(currency).customer.filter((field) => !has[field](customer));
}

/**
 * The currencies that a customer chose, none twice. Refuses, in this order: one that the platform does not support, one
 * whose provider wants to know more.
 */
export function chosenCurrencies(
  platform: Platform,
  { wanted, customer }: { readonly wanted: readonly string[]; readonly customer: KnownOfCustomer },
): readonly string[] {
  const supported = supportedCodes(platform);
  const unsupported = wanted.filter((currency) => !supported.includes(currency));
  if (unsupported.length > 0) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { field: "currencies", unsupported },
      `The platform does not support ${unsupported.join(", ")}.`,
    );
  }
  const chosen = [...new Set(wanted)];
  const wanting = chosen
    .map((currency) => ({ currency, fields: missingFor(currency, customer) }))
    .filter(({ fields }) => fields.length > 0);
  if (wanting.length > 0) {
    throw new Refusal("MISSING_MANDATORY_USER_INFO", { field: "currencies", missing: wanting });
  }
  return chosen;
}

/** For a customer that did not choose: what it has, and all that the platform supports and it may use. */
export function inferredCurrencies(
  platform: Platform,
  customer: KnownOfCustomer & { readonly currencies: readonly string[] },
): readonly string[] {
  const usable = supportedCodes(platform).filter(
    (currency) => missingFor(currency, customer).length === 0,
  );
  return [...new Set([...customer.currencies, ...usable])];
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
