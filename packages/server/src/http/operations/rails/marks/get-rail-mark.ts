import Type from "typebox";
import { findRailMark } from "../../../../domain/rails/marks/rail-mark.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { RailMarkSchema, railMarkExample, railMarkJson } from "../../../../wire/rails/rail-mark.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getRailMark = defineOperation({
  id: "getRailMark",
  method: "GET",
  path: "/rails/marks/{markId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get a mark that waits",
  params: Type.Object({ markId: pathId("RailMark") }),
  answers: {
    200: { description: "The mark.", schema: RailMarkSchema, example: railMarkExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailMark", params.markId, "REFERENCE_NOT_FOUND");
    const found = await findRailMark(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: railMarkJson(found) };
  },
});
