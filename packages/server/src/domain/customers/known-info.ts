import type { Address, Customer } from "./customer.ts";
import type { CustomerInfo, CustomerInfoField } from "./customer-info.ts";

/** The customer's data under the field names that institutions exchange. */
export function knownInfoOf(customer: Customer): CustomerInfo {
  const { businessInfo, address } = customer;
  const country = customer.region ?? address?.country ?? businessInfo?.country;
  const known: Partial<Record<CustomerInfoField, string | null | undefined>> = {
    FULL_NAME: customer.fullName ?? businessInfo?.legalName,
    COMPANY_LEGAL_NAME: businessInfo?.legalName,
    BIRTH_DATE: customer.birthDate,
    NATIONALITY: customer.nationality,
    COUNTRY_OF_RESIDENCE: country,
    PHONE_NUMBER: customer.phoneNumber,
    EMAIL: customer.email,
    POSTAL_ADDRESS: address === null ? undefined : inOneLine(address),
    TAX_ID: businessInfo?.taxId,
    REGISTRATION_NUMBER: businessInfo?.registrationNumber,
    USER_TYPE: customer.customerType,
  };
  const entries = Object.entries(known).filter(([, value]) => (value ?? "") !== "");
  return Object.fromEntries(entries) as CustomerInfo;
}

function inOneLine(address: Address): string {
  const { line1, line2, city, state, postalCode, country } = address;
  const lines = [line1, line2, city, state, postalCode, country];
  return lines.filter((line) => line !== undefined && line !== "").join(", ");
}
