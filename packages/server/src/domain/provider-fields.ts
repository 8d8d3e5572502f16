/** The customer data that the providers of each currency require. */

/** A field that a customer can have. */
export type ProviderField =
  | "FULL_NAME"
  | "BIRTH_DATE"
  | "NATIONALITY"
  | "POSTAL_ADDRESS"
  | "TAX_ID";

export interface ProviderFields {
  /** Required of the platform's own customer before it can use the currency. */
  readonly customer: readonly ProviderField[];
  /** Required of the counterparty of a payment. */
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
