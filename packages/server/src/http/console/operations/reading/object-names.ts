import Type from "typebox";
import { nameObjects } from "../../../../domain/reading/parties/object-names.sql.ts";
import { anyIdPattern } from "../../../../std/ids.ts";
import { formedText } from "../../../../validation/schema.ts";
import { exampleId } from "../../../../wire/id-fields.ts";
import { wireObjectName } from "../../../../wire/reading/object-name.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";

const MOST_IDS = 100;

export const listObjectNames = defineOperation({
  id: "listObjectNames",
  ...route(`GET ${ofPlatform("/names")}`, "PERSON", "overview.read"),
  isNoAct: true,
  tag: "Overview",
  summary: "List the names of objects",
  description:
    "What objects are called whose ids a page shows. Ids that are unknown, or of a kind that your roles do not let you read, are left out.",
  query: Type.Object({
    ids: Type.Array(
      formedText(`^${anyIdPattern}$`, "must be an id with its kind", {
        examples: [exampleId("Customer")],
      }),
      { minItems: 1, maxItems: MOST_IDS },
    ),
  }),
  answers: {
    200: {
      description: "In the order of the ids.",
      schema: Type.Object({ data: Type.Array(wireObjectName.schema) }),
      example: { data: [wireObjectName.example] },
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal: { platformId, capabilities }, query }, { reads }: Services) {
    const ids = [...new Set(query.ids)];
    const names = await nameObjects(reads, platformId, { ids, capabilities });
    return {
      status: 200,
      body: `{"data":[${names.map((name) => wireObjectName.json(name)).join(",")}]}`,
    };
  },
});
