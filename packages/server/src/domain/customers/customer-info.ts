/** The data that institutions exchange about the payer and the payee of a payment (the travel rule). */

export const customerInfoFields = [
  "FULL_NAME",
  "BIRTH_DATE",
  "NATIONALITY",
  "COUNTRY_OF_RESIDENCE",
  "PHONE_NUMBER",
  "EMAIL",
  "POSTAL_ADDRESS",
  "TAX_ID",
  "REGISTRATION_NUMBER",
  "USER_TYPE",
  "ACCOUNT_IDENTIFIER",
  "FI_LEGAL_ENTITY_NAME",
  "FI_ADDRESS",
  "PURPOSE_OF_PAYMENT",
  "ULTIMATE_INSTITUTION_COUNTRY",
  "IDENTIFIER",
  "BUSINESS_TYPE",
  "COMPANY_LEGAL_NAME",
  "ID_TYPE",
  "ID_NUMBER",
] as const;

export type CustomerInfoField = (typeof customerInfoFields)[number];

/** The answers, by field name. */
export type CustomerInfo = Readonly<Partial<Record<CustomerInfoField, string>>>;

export interface RequestedField {
  readonly name: string;
  readonly mandatory: boolean;
}

/** The largest length of one answer. */
export const LONGEST_ANSWER = 1_000;

export function isCustomerInfoField(name: string): name is CustomerInfoField {
  return (customerInfoFields as readonly string[]).includes(name);
}

/** The mandatory fields that were not answered. */
export function missingFields(
  requested: readonly RequestedField[],
  info: CustomerInfo,
): readonly string[] {
  return requested
    .filter(({ name, mandatory }) => mandatory && !isAnswered(info, name))
    .map(({ name }) => name);
}

/** The answers to requested fields; all others are dropped. */
export function requestedAnswers(
  requested: readonly RequestedField[],
  info: CustomerInfo,
): CustomerInfo {
  const answered = requested.filter(({ name }) => isAnswered(info, name));
  return Object.fromEntries(
    answered.map(({ name }) => [name, info[name as CustomerInfoField]]),
  ) as CustomerInfo;
}

function isAnswered(info: CustomerInfo, name: string): boolean {
  return isCustomerInfoField(name) && (info[name]?.trim() ?? "") !== "";
}
