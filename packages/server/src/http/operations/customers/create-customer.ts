import Type from "typebox";
import {
  createCustomer as command,
  mayHaveWallet,
} from "../../../domain/customers/create-customer.ts";
import { defineOperation } from "../../operation.ts";
import type { Services } from "../../services.ts";
import { CustomerSchema, customerExample, customerJson } from "../../wire/customer.ts";
import {
  addressOf,
  createOnlyFields,
  customerFields,
  identityOf,
  profileOf,
  refuseBadIdentity,
  umaAddressOf,
} from "./customer-body.ts";

export const createCustomer = defineOperation({
  id: "createCustomer",
  method: "POST",
  path: "/customers",
  access: "MANAGE",
  tag: "Customers",
  summary: "Create a customer",
  description:
    "Opens an internal account for each of the customer's currencies, and an embedded wallet where USDB is one of them. " +
    "In a sandbox the last three characters of `fullName` decide `kycStatus`: 001 PENDING, 002 REJECTED, 003 UNVERIFIED, " +
    "anything else APPROVED.",
  body: Type.Object({ ...createOnlyFields, ...customerFields }),
  requestExample: {
    customerType: "INDIVIDUAL",
    platformCustomerId: "ana-1",
    fullName: "Ana Ruiz",
    birthDate: "1991-02-03",
    nationality: "US",
    currencies: ["USD", "EUR"],
  },
  answers: {
    201: { description: "The customer.", schema: CustomerSchema, example: customerExample },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_CURRENCY",
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "CONFLICT",
  ],
  async handle({ principal, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const umaAddress = umaAddressOf(body);
    refuseBadIdentity(body);
    const platformCustomerId = body.platformCustomerId ?? services.ids.next(services.clock.now());
    const { identifier } = body;
    return services.engine.submit({
      platformId,
      actor: { kind: "token", id: principal.tokenId },
      command,
      input: {
        customer: {
          platformCustomerId,
          customerType: body.customerType,
          region: body.region ?? null,
          email: body.email ?? null,
          phoneNumber: body.phoneNumber ?? null,
          address: body.address === undefined ? null : addressOf(body.address),
          fullName: body.fullName ?? null,
          birthDate: body.birthDate ?? null,
          nationality: body.nationality ?? null,
          profile: profileOf(body),
          identitySealed:
            identifier === undefined
              ? null
              : services.sealer.seal(identifier, identityOf(platformId, platformCustomerId)),
        },
        umaAddress,
        currencies: body.currencies,
        wallet: mayHaveWallet(body.currencies) ? await services.newWallet(platformId) : undefined,
      },
      toAnswer: (customer) => ({ status: 201, body: customerJson(customer) }),
      idempotency,
    });
  },
});
