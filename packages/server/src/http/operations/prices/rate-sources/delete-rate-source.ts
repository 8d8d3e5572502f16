import Type from "typebox";
import { deleteRateSource as command } from "../../../../domain/prices/rate-sources/delete-rate-source.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { requireSourceId } from "./source-body.ts";

export const deleteRateSource = defineOperation({
  id: "deleteRateSource",
  method: "DELETE",
  path: "/rates/sources/{sourceId}",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Delete a rate source",
  description: "Its headers are destroyed. Quotes that were made at its rates keep their price.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { sourceId: requireSourceId(params.sourceId) },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});
