/** The fields of a customer in a request: their schemas and how they become a row's. */

import Type, { type Static, type TSchema } from "typebox";
import type { Address, BusinessInfo, CustomerProfile } from "../../../domain/customers/customer.ts";
import { businessFields, individualFields } from "../../../domain/customers/customer-fields.ts";
import { knownFields } from "../../../domain/customers/field-values.ts";
import { isSsn } from "../../../domain/customers/identifiers.ts";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { individualProperties } from "../../wire/customer-field-schemas.ts";
import { AddressSchema, CountrySchema } from "../../wire/shared.ts";
import { badUmaAddress } from "../../wire/uma-address.ts";

const text = Type.String({ minLength: 1, maxLength: 255 });

/** Fields that can be sent when a customer is created and when it is changed. */
const fields = {
  customerType: Type.Enum(["INDIVIDUAL", "BUSINESS"]),
  umaAddress: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  currencies: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 16 }), { minItems: 1, maxItems: 100 }),
  ),
  email: Type.Optional(Type.String({ format: "email", maxLength: 255 })),
  phoneNumber: Type.Optional(Type.String({ pattern: "^\\+[1-9]\\d{1,14}$", format: "e.164" })),
  address: Type.Optional(AddressSchema),
  fullName: Type.Optional(text),
  birthDate: Type.Optional(Type.String({ format: "date" })),
  nationality: Type.Optional(CountrySchema),
  identifier: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
};

const createOnly = {
  platformCustomerId: Type.Optional(text),
  region: Type.Optional(CountrySchema),
};

const ChangedFields = Type.Object(fields);
const NewFields = Type.Object({ ...createOnly, ...fields });

/** What is taken from the tables of fields is looked up by name. */
export type CustomerFields = Static<typeof ChangedFields> & { readonly businessInfo?: object };
type NewCustomerFields = Static<typeof NewFields> & { readonly businessInfo?: object };

function bodyOf(own: Record<string, TSchema>, businessInfo: TSchema): TSchema {
  return Type.Object(
    { ...own, ...individualProperties, businessInfo: Type.Optional(businessInfo) },
    { description: "Fields of the other `customerType` are not kept." },
  );
}

export function newCustomerBody(businessInfo: TSchema) {
  return Type.Unsafe<NewCustomerFields>(bodyOf({ ...createOnly, ...fields }, businessInfo));
}

export function changedCustomerBody(businessInfo: TSchema) {
  return Type.Unsafe<CustomerFields>(bodyOf(fields, businessInfo));
}

/** The address in its one spelling; INVALID_UMA_ADDRESS when it has none. */
export function umaAddressOf({ umaAddress }: CustomerFields): string | undefined {
  if (umaAddress === undefined) return undefined;
  const address = normalizeUmaAddress(umaAddress);
  if (address === undefined)
    throw invalidFields([badUmaAddress("umaAddress")], "INVALID_UMA_ADDRESS");
  return address;
}

/** The known members of an address, in their order. */
export function addressOf(address: Address): Address {
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    line1,
    ...(line2 === undefined ? {} : { line2 }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    postalCode,
    country,
  };
}

/** Empty for a business. */
export function profileOf(body: CustomerFields): CustomerProfile {
  if (body.customerType === "BUSINESS") return {};
  return knownFields<CustomerProfile>(individualFields, body);
}

/** Empty for an individual. */
export function businessInfoOf({
  customerType,
  businessInfo,
}: CustomerFields): Partial<BusinessInfo> {
  if (customerType === "INDIVIDUAL" || businessInfo === undefined) return {};
  return knownFields<BusinessInfo>(businessFields, businessInfo);
}

/** An identifier that was sent and cannot be a social security number. */
export function isOtherThanSsn({ customerType, identifier }: CustomerFields): boolean {
  return customerType === "INDIVIDUAL" && identifier !== undefined && !isSsn(identifier);
}

/** What a sealed identifier is bound to. */
export function identityOf(platformId: string, platformCustomerId: string): string {
  return `customers.identity ${platformId} ${platformCustomerId}`;
}
