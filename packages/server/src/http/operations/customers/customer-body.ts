/** The fields of a customer in a request: their schemas and their conversion to a row. */

import Type, { type Static, type TSchema } from "typebox";
import {
  type Address,
  type BusinessInfo,
  type CustomerProfile,
  customerTypes,
} from "../../../domain/customers/customer.ts";
import { unsupportedFault } from "../../../domain/customers/customer-currencies.ts";
import {
  type DatesSent,
  futureFaults,
  isSsn,
  notAnSsn,
} from "../../../domain/customers/customer-faults.ts";
import { businessFields, individualFields } from "../../../domain/customers/customer-fields.ts";
import { knownFields, unexplainedFaults } from "../../../domain/customers/field-values.ts";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { type CodedFault, type FieldError, invalid } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { isJsonObject, type JsonObject, textOrUndefined } from "../../../std/json.ts";
import { taggedUnion } from "../../../validation/schema.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { judgementOf } from "../../../validation/validation.ts";
import {
  BusinessInfoChangesSchema,
  individualProperties,
  NewBusinessInfoSchema,
} from "../../../wire/customers/customer-field-schemas.ts";
import {
  AddressSchema,
  CountrySchema,
  currencyField,
  filledText,
  phoneField,
} from "../../../wire/fields.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { umaAddressFault } from "../../../wire/uma/uma-address.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import { faultsByPlatformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";

const text = filledText(255);

/** Fields of both customer types. */
const commonFields = {
  umaAddress: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  currencies: Type.Optional(Type.Array(currencyField(), { minItems: 1, maxItems: 100 })),
  email: Type.Optional(Type.String({ format: "email", maxLength: 255 })),
  phoneNumber: Type.Optional(phoneField),
  address: Type.Optional(AddressSchema),
  metadata: Type.Optional(MetadataSchema),
};

const personalFields = {
  fullName: Type.Optional(text),
  birthDate: Type.Optional(Type.String({ format: "date" })),
  nationality: Type.Optional(CountrySchema),
  identifier: Type.Optional(filledText(64)),
};

/** Fields that can be sent on creation and on update. */
const fields = {
  customerType: Type.Enum([...customerTypes]),
  ...commonFields,
  ...personalFields,
};

const createOnly = {
  platformCustomerId: Type.Optional(text),
  region: Type.Optional(CountrySchema),
};

const ChangedFields = Type.Object(fields);
const NewFields = Type.Object({ ...createOnly, ...fields });

/** Fields from the tables are read by name. */
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

/** The documented body: each customer type with its own fields. */
function shownBodyOf(own: Type.TProperties, businessInfo: TSchema): TSchema {
  return taggedUnion("customerType", [
    Type.Object({
      customerType: Type.Literal("INDIVIDUAL"),
      ...own,
      ...commonFields,
      ...personalFields,
      ...individualProperties,
    }),
    Type.Object({ customerType: Type.Literal("BUSINESS"), ...own, ...commonFields, businessInfo }),
  ]);
}

export const shownNewCustomer = shownBodyOf(createOnly, NewBusinessInfoSchema);
export const shownChangedCustomer = shownBodyOf({}, Type.Optional(BusinessInfoChangesSchema));

/** Values derived from a valid body. */
interface JudgedCustomer {
  /** The UMA address in canonical form. */
  readonly umaAddress: string | undefined;
}

type Surroundings = JudgeSurroundings<Services, Principal>;

/** Checks a new customer by its body alone; `customerFaults` adds the faults that need a read. */
export function judgeNewCustomer(
  body: JsonObject,
  surroundings: Surroundings,
): Judgement<JudgedCustomer> {
  const isBusiness = body.customerType === "BUSINESS";
  const isLacking = isBusiness && body.businessInfo === undefined;
  const unexplained = () => (isBusiness ? [] : unexplainedFaults(body).map(({ error }) => error));
  return {
    ...judged(body, isLacking ? [invalid("businessInfo", "is required for a business")] : []),
    furtherFaults: async () => [...unexplained(), ...(await futureDateFaults(body, surroundings))],
  };
}

/** Checks changes by their body alone. Whether OTHER needs an explanation depends on the stored customer. */
export function judgeChanges(
  body: JsonObject,
  surroundings: Surroundings,
): Judgement<JudgedCustomer> {
  const hasBothContacts = body.email !== undefined && body.phoneNumber !== undefined;
  const message = "cannot be changed together with email: change one at a time";
  return {
    ...judged(body, hasBothContacts ? [invalid("phoneNumber", message)] : []),
    furtherFaults: () => futureDateFaults(body, surroundings),
  };
}

function futureDateFaults(
  body: JsonObject,
  surroundings: Surroundings,
): Promise<readonly FieldError[]> {
  const dates = datesSent(body);
  return faultsByPlatformTime(surroundings, (at) => futureFaults(dates, at));
}

/** The dates of the customer's own type. */
function datesSent({ customerType, birthDate, businessInfo }: JsonObject): DatesSent {
  if (customerType !== "BUSINESS") return { birthDate: textOrUndefined(birthDate) };
  const info = isJsonObject(businessInfo) ? businessInfo : {};
  return { businessInfo: { incorporatedOn: textOrUndefined(info.incorporatedOn) } };
}

function judged(body: JsonObject, own: readonly CodedFault[]): Judgement<JudgedCustomer> {
  const { customerType, umaAddress, currencies, idType, identifier } = body;
  const address = typeof umaAddress === "string" ? normalizeUmaAddress(umaAddress) : undefined;
  const codes = Array.isArray(currencies)
    ? currencies.filter((code) => typeof code === "string")
    : [];
  const faults = [...own];
  if (typeof umaAddress === "string" && address === undefined) {
    faults.push(umaAddressFault("umaAddress"));
  }
  faults.push(
    ...unsupportedFault(
      codes.filter((code) => !isCurrencyCode(code)),
      "there is no currency",
    ),
  );
  const isPerson = customerType !== "BUSINESS";
  if (isPerson && idType === "SSN" && typeof identifier === "string" && !isSsn(identifier)) {
    faults.push(notAnSsn);
  }
  return judgementOf(faults, { umaAddress: address });
}

/** The known members of an address, in a fixed order. */
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

/** The profile of an individual; empty for a business. */
export function profileOf(body: CustomerFields): CustomerProfile {
  if (body.customerType === "BUSINESS") return {};
  return knownFields<CustomerProfile>(individualFields, body);
}

/** The details of a business; empty for an individual. */
export function businessInfoOf({
  customerType,
  businessInfo,
}: CustomerFields): Partial<BusinessInfo> {
  if (customerType === "INDIVIDUAL" || businessInfo === undefined) return {};
  return knownFields<BusinessInfo>(businessFields, businessInfo);
}

/** The fields that are stored with a sealed identifier. */
export function identityFieldsOf(identifier: string, sealed: string) {
  return { identitySealed: sealed, identityHasSsnForm: isSsn(identifier) };
}

/** The identity that a sealed identifier is bound to. */
export function identityOf(platformId: string, platformCustomerId: string): string {
  return `customers.identity ${platformId} ${platformCustomerId}`;
}
