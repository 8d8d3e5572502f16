import {
  createCustomer as command,
  mayHaveWallet,
  type NewCustomer,
} from "../../../domain/customers/create-customer.ts";
import type { BusinessInfo } from "../../../domain/customers/customer.ts";
import { plainPhoneNumber } from "../../../domain/customers/phone-number.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { NewBusinessInfoSchema } from "../../../wire/customers/customer-field-schemas.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import {
  addressOf,
  businessInfoOf,
  type CustomerFields,
  identityFieldsOf,
  identityOf,
  judgeNewCustomer,
  newCustomerBody,
  profileOf,
  shownNewCustomer,
} from "./customer-body.ts";

export const createCustomer = defineOperation({
  id: "createCustomer",
  method: "POST",
  path: "/customers",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Customers",
  summary: "Create a customer",
  description:
    "A person, or a business with its `businessInfo`. Without `currencies` the customer has those of the platform, of fiat " +
    "money only that of its `region` where the platform has any of it. Opens an internal account for each of the customer's currencies, and " +
    "an embedded wallet where USDB is one of them. In a sandbox the last three characters of `fullName` decide a person's " +
    "`kycStatus`: 001 PENDING, 002 REJECTED, 003 UNVERIFIED, anything else APPROVED. A business is UNVERIFIED until it is " +
    "submitted with POST /verifications. A `umaAddress` is never given out again: it stays taken when its customer takes " +
    "another one or is deleted.",
  body: newCustomerBody(NewBusinessInfoSchema),
  shownBody: shownNewCustomer,
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
    "MISSING_MANDATORY_USER_INFO",
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "CONFLICT",
  ],
  judge: judgeNewCustomer,
  async handle({ principal, body, judged, idempotency }, services: Services) {
    const { platformId } = principal;
    const platformCustomerId = body.platformCustomerId ?? services.ids.next(services.clock.now());
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        customer: {
          platformCustomerId,
          customerType: body.customerType,
          region: body.region ?? null,
          email: body.email ?? null,
          phoneNumber: body.phoneNumber === undefined ? null : plainPhoneNumber(body.phoneNumber),
          address: body.address === undefined ? null : addressOf(body.address),
          metadata: metadataOf(body.metadata),
          ...typedFields(body, (identifier) =>
            services.sealer.seal(identifier, identityOf(platformId, platformCustomerId)),
          ),
        },
        umaAddress: judged.umaAddress,
        currencies: body.currencies,
        wallet: mayHaveWallet(body.currencies) ? await services.newWallet(platformId) : undefined,
      },
      toAnswer: (customer) => ({ status: 201, body: customerJson(customer) }),
      idempotency,
    });
  },
});

type TypedFields = Pick<
  NewCustomer,
  | "fullName"
  | "birthDate"
  | "nationality"
  | "profile"
  | "businessInfo"
  | "identitySealed"
  | "identityHasSsnForm"
>;

/** The fields of the customer's own type; those of the other type are dropped. */
function typedFields(body: CustomerFields, seal: (identifier: string) => string): TypedFields {
  const isBusiness = body.customerType === "BUSINESS";
  const { fullName, birthDate, nationality, identifier } = body;
  return {
    fullName: isBusiness ? null : (fullName ?? null),
    birthDate: isBusiness ? null : (birthDate ?? null),
    nationality: isBusiness ? null : (nationality ?? null),
    profile: profileOf(body),
    // The schema requires these members for a business.
    businessInfo: isBusiness ? (businessInfoOf(body) as BusinessInfo) : null,
    ...(isBusiness || identifier === undefined
      ? { identitySealed: null, identityHasSsnForm: null }
      : identityFieldsOf(identifier, seal(identifier))),
  };
}
