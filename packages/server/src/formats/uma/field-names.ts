/** The fields of a person: our names for them, and those of the protocol. */
import {
  type CustomerInfoField,
  customerInfoFields,
  type RequestedField,
} from "../../domain/customers/customer-info.ts";

const protocolNames: Readonly<Record<CustomerInfoField, string>> = {
  FULL_NAME: "name",
  BIRTH_DATE: "birthDate",
  NATIONALITY: "nationality",
  COUNTRY_OF_RESIDENCE: "countryOfResidence",
  PHONE_NUMBER: "phoneNumber",
  EMAIL: "email",
  POSTAL_ADDRESS: "postalAddress",
  TAX_ID: "taxId",
  REGISTRATION_NUMBER: "registrationNumber",
  USER_TYPE: "userType",
  ACCOUNT_IDENTIFIER: "accountNumber",
  FI_LEGAL_ENTITY_NAME: "fiLegalEntityName",
  FI_ADDRESS: "fiAddress",
  PURPOSE_OF_PAYMENT: "purposeOfPayment",
  ULTIMATE_INSTITUTION_COUNTRY: "ultimateInstitutionCountry",
  IDENTIFIER: "identifier",
  BUSINESS_TYPE: "businessType",
  COMPANY_LEGAL_NAME: "companyLegalName",
  ID_TYPE: "idType",
  ID_NUMBER: "idNumber",
};

const fieldsByName: ReadonlyMap<string, CustomerInfoField> = new Map([
  ...customerInfoFields.map((field) => [protocolNames[field], field] as const),
  // Some institutions ask for the country of residence by this name.
  ["countryCode", "COUNTRY_OF_RESIDENCE"],
]);

export function protocolName(field: CustomerInfoField): string {
  return protocolNames[field];
}

/** Our field of a name of the protocol; undefined for one that is unknown here. */
export function customerFieldOf(name: string): CustomerInfoField | undefined {
  return fieldsByName.get(name);
}

/** Parts of a request that this server fills in by itself. */
const OWN_PARTS: ReadonlySet<string> = new Set(["identifier", "compliance"]);

/**
 * What the payer has to give, by our names. A mandatory field that has no name here keeps its own, because the payer may know it; an optional
 * one is left out.
 */
export function requestedFields(options: ReadonlyMap<string, boolean>): readonly RequestedField[] {
  const fields = new Map<string, boolean>();
  for (const [name, mandatory] of options) {
    const field = fieldsByName.get(name) ?? (mandatory ? name : undefined);
    if (field === undefined || OWN_PARTS.has(name)) continue;
    fields.set(field, mandatory || fields.get(field) === true);
  }
  return [...fields].map(([name, mandatory]) => ({ name, mandatory }));
}
