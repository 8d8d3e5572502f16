import Type from "typebox";
import { findBeneficialOwner } from "../../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  BeneficialOwnerSchema,
  beneficialOwnerExample,
  beneficialOwnerJson,
} from "../../../../wire/customers/beneficial-owner.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getBeneficialOwner = defineOperation({
  id: "getBeneficialOwner",
  method: "GET",
  path: "/beneficial-owners/{beneficialOwnerId}",
  access: "VIEW",
  capability: "customers.read",
  tag: "Beneficial owners",
  summary: "Get a beneficial owner",
  params: Type.Object({ beneficialOwnerId: pathId("BeneficialOwner") }),
  answers: {
    200: {
      description: "The owner.",
      schema: BeneficialOwnerSchema,
      example: beneficialOwnerExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("BeneficialOwner", params.beneficialOwnerId, "REFERENCE_NOT_FOUND");
    const owner = await findBeneficialOwner(reads, principal.platformId, id);
    if (owner === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: beneficialOwnerJson(owner) };
  },
});
