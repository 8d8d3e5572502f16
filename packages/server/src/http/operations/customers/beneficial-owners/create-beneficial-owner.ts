import { createBeneficialOwner as command } from "../../../../domain/customers/beneficial-owners/create-beneficial-owner.ts";
import {
  BeneficialOwnerSchema,
  beneficialOwnerExample,
  beneficialOwnerJson,
} from "../../../../wire/customers/beneficial-owner.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { judgeOwner, NewOwnerBody, personalInfoOf, rolesOf } from "./owner-body.ts";

const { customerId, roles, ownershipPercentage, personalInfo } = beneficialOwnerExample;

export const createBeneficialOwner = defineOperation({
  id: "createBeneficialOwner",
  method: "POST",
  path: "/beneficial-owners",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Beneficial owners",
  summary: "Create a beneficial owner",
  description:
    "Names a person who owns or controls a business. " +
    "Owners are checked with their business: `kycStatus` is decided when the business is. `ownershipPercentage` is 0 for a " +
    "person without a share.",
  body: NewOwnerBody,
  requestExample: { customerId, roles, ownershipPercentage, personalInfo },
  answers: {
    201: {
      description: "The owner.",
      schema: BeneficialOwnerSchema,
      example: beneficialOwnerExample,
    },
  },
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND", "CUSTOMER_DELETED"],
  judge: judgeOwner,
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        customerId: requireIdField(
          "Customer",
          { field: "customerId", raw: body.customerId },
          "USER_NOT_FOUND",
        ),
        roles: rolesOf(body.roles),
        ownershipPercentage: body.ownershipPercentage,
        personalInfo: personalInfoOf(body.personalInfo),
      },
      toAnswer: (owner) => ({ status: 201, body: beneficialOwnerJson(owner) }),
      idempotency,
    }),
});
