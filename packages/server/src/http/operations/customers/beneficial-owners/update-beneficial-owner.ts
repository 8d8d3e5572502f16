import Type from "typebox";
import { updateBeneficialOwner as command } from "../../../../domain/customers/beneficial-owners/update-beneficial-owner.ts";
import {
  BeneficialOwnerSchema,
  beneficialOwnerExample,
  beneficialOwnerJson,
} from "../../../../wire/customers/beneficial-owner.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { judgeOwner, OwnerChangesBody, personalInfoOf, rolesOf } from "./owner-body.ts";

export const updateBeneficialOwner = defineOperation({
  id: "updateBeneficialOwner",
  method: "PATCH",
  path: "/beneficial-owners/{beneficialOwnerId}",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Beneficial owners",
  summary: "Update a beneficial owner",
  description:
    "Absent fields stay as they are, those of `personalInfo` too; an address is sent whole.",
  params: Type.Object({ beneficialOwnerId: pathId("BeneficialOwner") }),
  body: OwnerChangesBody,
  requestExample: { ownershipPercentage: 40, personalInfo: { email: "mara@example.com" } },
  answers: {
    200: {
      description: "The owner as it is now.",
      schema: BeneficialOwnerSchema,
      example: beneficialOwnerExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CUSTOMER_DELETED"],
  judge: judgeOwner,
  handle: async ({ principal, params, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        ownerId: requireId("BeneficialOwner", params.beneficialOwnerId, "REFERENCE_NOT_FOUND"),
        roles: body.roles && rolesOf(body.roles),
        ownershipPercentage: body.ownershipPercentage,
        personalInfo: personalInfoOf(body.personalInfo ?? {}),
      },
      toAnswer: (owner) => ({ status: 200, body: beneficialOwnerJson(owner) }),
    }),
});
