import Type from "typebox";
import { findRailEntry } from "../../../../domain/rails/entries/rail-entry.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  RailEntrySchema,
  railEntryExample,
  railEntryJson,
} from "../../../../wire/rails/rail-entry.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getRailEntry = defineOperation({
  id: "getRailEntry",
  method: "GET",
  path: "/rails/entries/{entryId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get an entry",
  params: Type.Object({ entryId: pathId("RailEntry") }),
  answers: {
    200: { description: "The entry.", schema: RailEntrySchema, example: railEntryExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailEntry", params.entryId, "REFERENCE_NOT_FOUND");
    const found = await findRailEntry(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: railEntryJson(found) };
  },
});
