import type { Command } from "../../engine/command.ts";
import { requireEndpoint, type WebhookEndpoint, webhookEndpoints } from "./webhook-endpoint.ts";

export interface DeleteWebhookEndpointInput {
  readonly endpointId: string;
}

/** Ends an endpoint: no attempt starts any more, and what waited for it is never delivered. Refuses an unknown endpoint. */
export const deleteWebhookEndpoint: Command<DeleteWebhookEndpointInput, WebhookEndpoint> = {
  name: "delete-webhook-endpoint",
  needs: (_world, { endpointId }) => [webhookEndpoints.ref(endpointId)],
  decide(world, { endpointId }) {
    const endpoint = requireEndpoint(world, endpointId);
    return world.put(webhookEndpoints, { ...endpoint, updatedAt: world.at, deletedAt: world.at });
  },
};
