import Type from "typebox";
import { deleteWebhookEndpoint as command } from "../../../../domain/events/delete-webhook-endpoint.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { requireExtraEndpoint } from "./endpoint-fields.ts";

export const deleteWebhookEndpoint = defineOperation({
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/webhook-endpoints/{endpointId}",
  access: "MANAGE",
  capability: "webhooks.write",
  tag: "Webhooks",
  summary: "Delete a webhook endpoint",
  description: "No delivery to it starts any more, and what waits for it is never delivered.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["WEBHOOK_ENDPOINT_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { endpointId: requireExtraEndpoint(params.endpointId, principal) },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});
