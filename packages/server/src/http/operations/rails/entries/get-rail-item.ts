import Type from "typebox";
import { findRailItem } from "../../../../domain/rails/entries/rail-item.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { RailItemSchema, railItemExample, railItemJson } from "../../../../wire/rails/rail-item.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getRailItem = defineOperation({
  id: "getRailItem",
  method: "GET",
  path: "/rails/items/{itemId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get an item in suspense",
  params: Type.Object({ itemId: pathId("RailItem") }),
  answers: {
    200: { description: "The item.", schema: RailItemSchema, example: railItemExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailItem", params.itemId, "REFERENCE_NOT_FOUND");
    const found = await findRailItem(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: railItemJson(found) };
  },
});
