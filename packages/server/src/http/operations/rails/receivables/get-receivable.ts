import Type from "typebox";
import { findReceivable } from "../../../../domain/rails/returns/rail-receivable.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  RailReceivableSchema,
  receivableExample,
  receivableJson,
} from "../../../../wire/rails/rail-receivable.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getReceivable = defineOperation({
  id: "getReceivable",
  method: "GET",
  path: "/rails/receivables/{receivableId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get a receivable",
  params: Type.Object({ receivableId: pathId("RailReceivable") }),
  answers: {
    200: {
      description: "The receivable.",
      schema: RailReceivableSchema,
      example: receivableExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailReceivable", params.receivableId, "REFERENCE_NOT_FOUND");
    const found = await findReceivable(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: receivableJson(found) };
  },
});
