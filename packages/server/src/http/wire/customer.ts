import Type from "typebox";
import { type Customer, toCustomerId } from "../../domain/customers/customer.ts";
import { toIso } from "../../std/clock.ts";
import { AddressSchema, DateTimeSchema, optional } from "./shared.ts";

export const CustomerSchema = Type.Object(
  {
    id: Type.String({ description: "`Customer:<uuid>`" }),
    platformCustomerId: Type.String(),
    customerType: Type.Enum(["INDIVIDUAL"]),
    umaAddress: Type.String(),
    region: Type.Optional(Type.String()),
    currencies: Type.Array(Type.String()),
    email: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String()),
    address: Type.Optional(AddressSchema),
    kycStatus: Type.Optional(Type.Enum(["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"])),
    fullName: Type.Optional(Type.String()),
    birthDate: Type.Optional(Type.String()),
    nationality: Type.Optional(Type.String()),
    idType: Type.Optional(Type.String()),
    countryOfIssuance: Type.Optional(Type.String()),
    isDeleted: Type.Boolean(),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Customer" },
);

export function customerJson(customer: Customer): string {
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
