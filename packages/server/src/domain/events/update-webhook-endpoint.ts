import type { Command } from "../../engine/command.ts";
import {
  type BatchRule,
  batchColumns,
  requireEndpoint,
  settledKeys,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./webhook-endpoint.ts";

export interface UpdateWebhookEndpointInput {
  readonly endpointId: string;
  readonly url: string | undefined;
  readonly description: string | undefined;
  readonly events: readonly string[] | undefined;
  readonly isDisabled: boolean | undefined;
  /** Null for one event a request, undefined for no change. */
  readonly delivery: BatchRule | null | undefined;
}

/**
 * Updates an endpoint; delivery continues at the position of its stream. One that answered 410 gets events again, and one that is down is
 * tried at once. Refuses an unknown endpoint.
 */
export const updateWebhookEndpoint: Command<UpdateWebhookEndpointInput, WebhookEndpoint> = {
  name: "update-webhook-endpoint",
  needs: (_world, { endpointId }) => [webhookEndpoints.ref(endpointId)],
  decide(world, { endpointId, url, description, events, isDisabled, delivery }) {
    const endpoint = settledKeys(requireEndpoint(world, endpointId), world.at);
    return world.put(webhookEndpoints, {
      ...endpoint,
      ...(delivery === undefined ? {} : batchColumns(delivery)),
      url: url ?? endpoint.url,
      description: description ?? endpoint.description,
      events: events ?? endpoint.events,
      filterSinceEventSeq: events === undefined ? endpoint.filterSinceEventSeq : world.eventSeq,
      isDisabled: isDisabled ?? endpoint.isDisabled,
      disabledReason: isDisabled === undefined ? endpoint.disabledReason : null,
      setting: endpoint.setting + 1n,
      updatedAt: world.at,
    });
  },
};
