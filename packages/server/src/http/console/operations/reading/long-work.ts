import Type from "typebox";
import type { Capability } from "../../../../domain/people/role.ts";
import {
  type LongWorkKind,
  listLongWork,
} from "../../../../domain/reading/long-work/long-work.sql.ts";
import { wireLongWork } from "../../../../wire/reading/long-work.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";

/** The capability that a person needs to see work of each kind. */
const READ_BY: Readonly<Record<LongWorkKind, Capability>> = {
  IMPORT: "customers.read",
  EXPORT: "exports.create",
  STATEMENT: "statements.read",
  RESEND: "deliveries.read",
};

export const listLongWorkOperation = defineOperation({
  id: "listLongWork",
  ...route(`GET ${ofPlatform("/jobs")}`, "PERSON", "overview.read"),
  isNoAct: true,
  tag: "Overview",
  summary: "List the long work of a platform",
  description:
    "Imports, exports, statements and orders to send events again, of the kinds that your roles may read: those under way and those that ended last.",
  answers: {
    200: {
      description: "The newest first, ten of each kind at most.",
      schema: Type.Object({ data: Type.Array(wireLongWork.schema) }),
      example: { data: [wireLongWork.example] },
    },
  },
  refusals: ["NOT_FOUND"],
  async handle({ principal: { platformId, capabilities } }, { reads }: Services) {
    const kinds = (Object.keys(READ_BY) as LongWorkKind[]).filter((kind) =>
      capabilities.has(READ_BY[kind]),
    );
    const found = await reads.withPermit(platformId, (cells) =>
      listLongWork(cells, platformId, kinds),
    );
    const mayCancel = capabilities.has("deliveries.resend-many");
    const data = found.map((work) => wireLongWork.json(work, { mayCancel }));
    return { status: 200, body: `{"data":[${data.join(",")}]}` };
  },
});
