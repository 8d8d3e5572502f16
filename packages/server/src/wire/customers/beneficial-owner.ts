import Type from "typebox";
import {
  type BeneficialOwner,
  ownerRoles,
  toBeneficialOwnerId,
} from "../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { kycStatuses, toCustomerId } from "../../domain/customers/customer.ts";
import { idTypes } from "../../domain/customers/customer-fields.ts";
import { toIso } from "../../std/clock.ts";
import { AddressSchema, CountrySchema, DateTimeSchema, filledText, phoneField } from "../fields.ts";

const name = filledText(255);

export const OwnerPersonalInfoSchema = Type.Object(
  {
    firstName: name,
    middleName: Type.Optional(name),
    lastName: name,
    birthDate: Type.String({ format: "date" }),
    nationality: CountrySchema,
    email: Type.Optional(Type.String({ format: "email", maxLength: 255 })),
    phoneNumber: Type.Optional(phoneField),
    address: AddressSchema,
    idType: Type.Enum([...idTypes]),
    identifier: filledText(64),
    countryOfIssuance: Type.Optional(CountrySchema),
  },
  { $id: "OwnerPersonalInfo" },
);

export const RolesSchema = Type.Array(Type.Enum([...ownerRoles]), { minItems: 1, maxItems: 32 });
export const OwnershipSchema = Type.Integer({ minimum: 0, maximum: 100 });

export const BeneficialOwnerSchema = Type.Object(
  {
    id: Type.String({ description: "`BeneficialOwner:<uuid>`" }),
    customerId: Type.String(),
    roles: RolesSchema,
    ownershipPercentage: OwnershipSchema,
    personalInfo: OwnerPersonalInfoSchema,
    kycStatus: Type.Enum([...kycStatuses]),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "BeneficialOwner" },
);

/** The owner as a part of another object's JSON. */
export function toWireOwner(owner: BeneficialOwner) {
  const { id, customerId, roles, ownershipPercentage, personalInfo, kycStatus } = owner;
  return {
    id: toBeneficialOwnerId(id),
    customerId: toCustomerId(customerId),
    roles,
    ownershipPercentage,
    personalInfo,
    kycStatus,
    createdAt: toIso(owner.createdAt),
    updatedAt: toIso(owner.updatedAt),
  };
}

export function beneficialOwnerJson(owner: BeneficialOwner): string {
  return JSON.stringify(toWireOwner(owner));
}

export const beneficialOwnerExample = {
  id: "BeneficialOwner:019a4f00-0000-7000-8000-000000000011",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
  roles: ["UBO", "CONTROL_PERSON"],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: "Mara",
    lastName: "Lind",
    birthDate: "1980-04-05",
    nationality: "US",
    address: { line1: "2 Pier Rd", city: "Boston", postalCode: "02110", country: "US" },
    idType: "SSN",
    identifier: "123-45-6789",
  },
  kycStatus: "APPROVED",
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:05:00.000Z",
};
