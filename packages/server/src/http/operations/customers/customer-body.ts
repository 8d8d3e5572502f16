/** The fields of a customer in a request: their schemas and how they become a row's. */
import Type, { type Static } from "typebox";
import type { Address, CustomerProfile } from "../../../domain/customers/customer.ts";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { AddressSchema } from "../../wire/shared.ts";

const country = Type.String({ pattern: "^[A-Z]{2}$", format: "iso3166-1-alpha-2" });
const text = Type.String({ minLength: 1, maxLength: 255 });

/** Fields that can be sent when a customer is created and when it is changed. */
export const customerFields = {
  customerType: Type.Enum(["INDIVIDUAL"]),
  umaAddress: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  currencies: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 16 }), { minItems: 1, maxItems: 100 }),
  ),
  email: Type.Optional(Type.String({ format: "email", maxLength: 255 })),
  phoneNumber: Type.Optional(Type.String({ pattern: "^\\+[1-9]\\d{1,14}$", format: "e.164" })),
  address: Type.Optional(AddressSchema),
  fullName: Type.Optional(text),
  birthDate: Type.Optional(Type.String({ format: "date" })),
  nationality: Type.Optional(country),
  idType: Type.Optional(Type.Enum(["SSN", "ITIN"])),
  identifier: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  countryOfIssuance: Type.Optional(Type.Enum(["US"])),
};

export const createOnlyFields = {
  platformCustomerId: Type.Optional(text),
  region: Type.Optional(country),
};

const FieldsSchema = Type.Object(customerFields);
export type CustomerFields = Static<typeof FieldsSchema>;

/** The address in its one spelling; INVALID_UMA_ADDRESS when it has none. */
export function umaAddressOf(fields: CustomerFields): string | undefined {
  if (fields.umaAddress === undefined) return undefined;
  const address = normalizeUmaAddress(fields.umaAddress);
  if (address === undefined) throw new Refusal("INVALID_UMA_ADDRESS", { field: "umaAddress" });
  return address;
}

const SSN = /^\d{3}-\d{2}-\d{4}$/;

/** Rules between fields. */
export function refuseBadIdentity(fields: CustomerFields): void {
  const errors: FieldError[] = [];
  if (fields.idType === "SSN" && fields.identifier !== undefined && !SSN.test(fields.identifier)) {
    errors.push({
      field: "identifier",
      message: "must have the form ###-##-####",
      constraint: { format: "us-ssn" },
    });
  }
  if (errors.length > 0) throw invalidFields(errors);
}

/** The known members of an address, in their order. */
export function addressOf(address: Address): Address {
  const { line1, line2, city, state, postalCode, country: code } = address;
  return {
    line1,
    ...(line2 === undefined ? {} : { line2 }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    postalCode,
    country: code,
  };
}

export function profileOf(fields: CustomerFields): CustomerProfile {
  const { idType, countryOfIssuance } = fields;
  return {
    ...(idType === undefined ? {} : { idType }),
    ...(countryOfIssuance === undefined ? {} : { countryOfIssuance }),
  };
}

/** What a sealed identifier is bound to. */
export function identityOf(platformId: string, platformCustomerId: string): string {
  return `customers.identity ${platformId} ${platformCustomerId}`;
}
