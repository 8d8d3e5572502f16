import Type from "typebox";
import { findCustomer } from "../../../domain/customers/customer.sql.ts";
import { plainPhoneNumber } from "../../../domain/customers/phone-number.ts";
import {
  updateCustomer as command,
  type UpdateCustomerInput,
} from "../../../domain/customers/update-customer.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import { BusinessInfoChangesSchema } from "../../../wire/customers/customer-field-schemas.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import {
  addressOf,
  businessInfoOf,
  type CustomerFields,
  changedCustomerBody,
  identityFieldsOf,
  identityOf,
  judgeChanges,
  profileOf,
  shownChangedCustomer,
} from "./customer-body.ts";

export const updateCustomer = defineOperation({
  id: "updateCustomer",
  method: "PATCH",
  path: "/customers/{customerId}",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Customers",
  summary: "Update a customer",
  description:
    "Absent fields stay as they are, those of `businessInfo` too; a list and `metadata` replace the one before. `customerType` is " +
    "required and must be the customer's. `email` and `phoneNumber` are changed one at a time. " +
    "A `umaAddress` that the customer had before is still its own and can be taken back. An `idType` of SSN needs an " +
    "`identifier` of the form ###-##-####, be it one that was sent before.",
  params: Type.Object({ customerId: pathId("Customer") }),
  body: changedCustomerBody(BusinessInfoChangesSchema),
  shownBody: shownChangedCustomer,
  requestExample: { customerType: "INDIVIDUAL", email: "ana.ruiz@example.com" },
  answers: {
    200: {
      description: "The customer as it is now.",
      schema: CustomerSchema,
      example: customerExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_CURRENCY",
    "MISSING_MANDATORY_USER_INFO",
    "INVALID_UMA_ADDRESS",
    "USER_NOT_FOUND",
    "UMA_ADDRESS_EXISTS",
    "CONFLICT",
    "CUSTOMER_DELETED",
  ],
  judge: judgeChanges,
  async handle({ principal, params, body, judged }, services: Services) {
    const { platformId } = principal;
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        customerId,
        customerType: body.customerType,
        umaAddress: judged.umaAddress,
        currencies: body.currencies,
        fields: await sentFields(body, { platformId, customerId, services }),
        profile: profileOf(body),
        businessInfo: businessInfoOf(body),
      },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
    });
  },
});

interface Target {
  readonly platformId: string;
  readonly customerId: string;
  readonly services: Services;
}

async function sentFields(
  body: CustomerFields,
  target: Target,
): Promise<UpdateCustomerInput["fields"]> {
  const { email, phoneNumber, address, metadata } = body;
  return {
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber: plainPhoneNumber(phoneNumber) }),
    ...(address === undefined ? {} : { address: addressOf(address) }),
    ...(metadata === undefined ? {} : { metadata: metadataOf(metadata) }),
    ...(body.customerType === "INDIVIDUAL" ? await personalFields(body, target) : {}),
  };
}

async function personalFields(
  body: CustomerFields,
  target: Target,
): Promise<UpdateCustomerInput["fields"]> {
  const { fullName, birthDate, nationality } = body;
  return {
    ...(fullName === undefined ? {} : { fullName }),
    ...(birthDate === undefined ? {} : { birthDate }),
    ...(nationality === undefined ? {} : { nationality }),
    ...(await identityFields(body, target)),
  };
}

/** The identifier is sealed under the platform's id of the customer, which never changes. */
async function identityFields(
  { identifier }: CustomerFields,
  { platformId, customerId, services }: Target,
): Promise<Partial<ReturnType<typeof identityFieldsOf>>> {
  if (identifier === undefined) return {};
  const customer = await findCustomer(services.reads, platformId, customerId);
  if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
  const identity = identityOf(platformId, customer.platformCustomerId);
  return identityFieldsOf(identifier, services.sealer.seal(identifier, identity));
}
