import Type from "typebox";
import { customerTypes, kycStatuses, toCustomerId } from "../../domain/customers/customer.ts";
import type { CustomerSubject } from "../../domain/customers/customer-subject.ts";
import { toIso } from "../../std/clock.ts";
import { FrozenSchema, toWireFreeze } from "../accounts/freeze.ts";
import { AddressSchema, DateTimeSchema, optional } from "../fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { listedText } from "../value-lists.ts";
import { BeneficialOwnerSchema, beneficialOwnerExample, toWireOwner } from "./beneficial-owner.ts";
import { BusinessInfoSchema, individualProperties } from "./customer-field-schemas.ts";

export const CustomerSchema = Type.Object(
  {
    id: Type.String({ description: "`Customer:<uuid>`" }),
    platformCustomerId: Type.String(),
    customerType: Type.Enum([...customerTypes]),
    umaAddress: Type.String(),
    region: Type.Optional(Type.String()),
    currencies: Type.Array(listedText("CurrencyCode")),
    email: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String()),
    address: Type.Optional(AddressSchema),
    kycStatus: Type.Optional(Type.Enum([...kycStatuses], { description: "Of an individual." })),
    fullName: Type.Optional(Type.String()),
    birthDate: Type.Optional(Type.String()),
    nationality: Type.Optional(Type.String()),
    ...individualProperties,
    kybStatus: Type.Optional(Type.Enum([...kycStatuses], { description: "Of a business." })),
    businessInfo: Type.Optional(BusinessInfoSchema),
    beneficialOwners: Type.Optional(
      Type.Array(BeneficialOwnerSchema, { description: "Of a business, oldest first." }),
    ),
    frozen: Type.Optional(FrozenSchema),
    metadata: Type.Optional(MetadataSchema),
    isDeleted: Type.Boolean(),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Customer" },
);

export function customerJson({ customer, owners }: CustomerSubject): string {
  return JSON.stringify({
    id: toCustomerId(customer.id),
    platformCustomerId: customer.platformCustomerId,
    customerType: customer.customerType,
    umaAddress: customer.umaAddress,
    ...optional("region", customer.region),
    currencies: customer.currencies,
    ...optional("email", customer.email),
    ...optional("phoneNumber", customer.phoneNumber),
    ...optional("address", customer.address),
    ...optional("kycStatus", customer.kycStatus),
    ...optional("fullName", customer.fullName),
    ...optional("birthDate", customer.birthDate),
    ...optional("nationality", customer.nationality),
    ...customer.profile,
    ...optional("kybStatus", customer.kybStatus),
    ...optional("businessInfo", customer.businessInfo),
    ...(customer.customerType === "BUSINESS" ? { beneficialOwners: owners.map(toWireOwner) } : {}),
    ...(customer.frozen === null ? {} : { frozen: toWireFreeze(customer.frozen) }),
    ...optional("metadata", customer.metadata),
    isDeleted: customer.deletedAt !== null,
    createdAt: toIso(customer.createdAt),
    updatedAt: toIso(customer.updatedAt),
  });
}

export const customerExample = {
  id: "Customer:019a4f00-0000-7000-8000-000000000001",
  platformCustomerId: "ana-1",
  customerType: "INDIVIDUAL",
  umaAddress: "$ana@florin.test",
  region: "US",
  currencies: ["USD", "EUR"],
  email: "ana@example.com",
  kycStatus: "APPROVED",
  fullName: "Ana Ruiz",
  birthDate: "1991-02-03",
  nationality: "US",
  isDeleted: false,
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:00:00.000Z",
};

export const businessExample = {
  id: "Customer:019a4f00-0000-7000-8000-000000000010",
  platformCustomerId: "lind-boats",
  customerType: "BUSINESS",
  umaAddress: "$lind@florin.test",
  region: "US",
  currencies: ["USD"],
  address: { line1: "1 Harbor Way", city: "Boston", postalCode: "02110", country: "US" },
  kybStatus: "APPROVED",
  businessInfo: {
    legalName: "Lind Boats LLC",
    country: "US",
    taxId: "12-3456789",
    incorporatedOn: "2015-06-01",
    registrationNumber: "7700100",
    entityType: "LLC",
    countriesOfOperation: ["US"],
  },
  beneficialOwners: [beneficialOwnerExample],
  isDeleted: false,
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:05:00.000Z",
};
