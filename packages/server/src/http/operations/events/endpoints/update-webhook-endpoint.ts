import Type from "typebox";
import { updateWebhookEndpoint as command } from "../../../../domain/events/update-webhook-endpoint.ts";
import { invalidFields } from "../../../../engine/refusal.ts";
import {
  endpointJson,
  WebhookEndpointSchema,
  webhookEndpointExample,
} from "../../../../wire/events/webhook-endpoint.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import {
  endpointDescriptionField,
  endpointEventsField,
  endpointUrlField,
  judgeEndpoint,
  requireExtraEndpoint,
} from "./endpoint-fields.ts";

export const updateWebhookEndpoint = defineOperation({
  id: "updateWebhookEndpoint",
  method: "PATCH",
  path: "/webhook-endpoints/{endpointId}",
  access: "MANAGE",
  capability: "webhooks.write",
  opensPersonalData: true,
  tag: "Webhooks",
  summary: "Update a webhook endpoint",
  description:
    "Absent fields stay as they are. The endpoint goes on where it stands, at its new address if that changed: one that " +
    "answered 410 gets events again, and one that is down is tried at once. A disabled one gets nothing. `state: ACTIVE` enables it, " +
    "also when it was disabled because of its failures: what happened meanwhile is delivered in order from its position on, " +
    "however long ago it was, and what waited to be tried again is tried when it is due.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  body: Type.Object({
    url: Type.Optional(endpointUrlField),
    description: Type.Optional(endpointDescriptionField),
    events: Type.Optional(endpointEventsField),
    state: Type.Optional(Type.Enum(["ACTIVE", "DISABLED"])),
    isDisabled: Type.Optional(Type.Boolean({ description: "Another way to say `state`." })),
  }),
  requestExample: { state: "DISABLED" },
  answers: {
    200: {
      description: "The endpoint as it is now.",
      schema: WebhookEndpointSchema,
      example: {
        ...webhookEndpointExample,
        state: "DISABLED",
        outage: undefined,
        stats: undefined,
      },
    },
  },
  refusals: ["INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_FOUND", "CONFLICT"],
  judge: judgeEndpoint,
  async handle({ principal, params, body }, { engine }: Services) {
    const { url, description, events, state } = body;
    if ([url, description, events, state, body.isDisabled].every((field) => field === undefined)) {
      const message = "must hold url, description, events, state or isDisabled";
      throw invalidFields([{ field: "body", message }]);
    }
    const isDisabled = state === undefined ? body.isDisabled : state === "DISABLED";
    if (body.isDisabled !== undefined && body.isDisabled !== isDisabled) {
      throw invalidFields([{ field: "isDisabled", message: "contradicts state" }]);
    }
    const endpointId = requireExtraEndpoint(params.endpointId, principal);
    return submitForCaller(engine, principal, {
      command,
      input: { endpointId, url, description, events, isDisabled },
      toAnswer: (endpoint) => ({ status: 200, body: endpointJson(endpoint) }),
    });
  },
});
