import type { Command } from "../../engine/command.ts";
import { requireEndpoint, type WebhookEndpoint, webhookEndpoints } from "./webhook-endpoint.ts";

export interface DeleteWebhookEndpointInput {
  readonly endpointId: string;
}

/** Deletes an endpoint: no further attempt starts, and its pending events are never delivered. Refuses an unknown endpoint. */
export const deleteWebhookEndpoint: Command<DeleteWebhookEndpointInput, WebhookEndpoint> = {
  name: "delete-webhook-endpoint",
  needs: (_world, { endpointId }) => [webhookEndpoints.ref(endpointId)],
  decide(world, { endpointId }) {
    const endpoint = requireEndpoint(world, endpointId);
    return world.put(webhookEndpoints, { ...endpoint, updatedAt: world.at, deletedAt: world.at });
  },
};
