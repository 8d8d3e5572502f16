/** What the providers behind a currency want to know of the people who use it. */

/** A field that a customer can have. */
export type ProviderField =
  | "FULL_NAME"
  | "BIRTH_DATE"
  | "NATIONALITY"
  | "POSTAL_ADDRESS"
  | "TAX_ID";

export interface ProviderFields {
  /** Of the platform's own customer, before it can use the currency. */
  readonly customer: readonly ProviderField[];
  /** Of the other side of a payment. */
  readonly counterparty: readonly ProviderField[];
}

const NONE: ProviderFields = { customer: [], counterparty: [] };

const BY_CURRENCY: ReadonlyMap<string, ProviderFields> = new Map([
  ["AED", { customer: ["FULL_NAME", "POSTAL_ADDRESS"], counterparty: ["FULL_NAME"] }],
  ["BRL", { customer: ["FULL_NAME", "TAX_ID"], counterparty: ["FULL_NAME"] }],
  ["COP", { customer: ["FULL_NAME", "BIRTH_DATE"], counterparty: ["FULL_NAME"] }],
  ["INR", { customer: ["FULL_NAME", "BIRTH_DATE", "NATIONALITY"], counterparty: ["FULL_NAME"] }],
  ["NGN", { customer: ["FULL_NAME", "BIRTH_DATE"], counterparty: ["FULL_NAME"] }],
  ["PHP", { customer: ["FULL_NAME", "BIRTH_DATE", "NATIONALITY"], counterparty: ["FULL_NAME"] }],
]);

export function providerFieldsOf(currency: string): ProviderFields {
  return BY_CURRENCY.get(currency) ?? NONE;
}
