import Type from "typebox";
import { deleteRailRoute as command } from "../../../../domain/rails/routes/delete-rail-route.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const deleteRailRoute = defineOperation({
  id: "deleteRailRoute",
  method: "DELETE",
  path: "/rails/routes/{routeId}",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Delete a rail route",
  description: "Payments that took it keep their connection.",
  params: Type.Object({ routeId: pathId("RailRoute") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { routeId: requireId("RailRoute", params.routeId, "REFERENCE_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});
