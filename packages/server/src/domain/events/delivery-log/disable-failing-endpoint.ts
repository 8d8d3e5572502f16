import type { Command } from "../../../engine/command.ts";
import { toWireId } from "../../../std/ids.ts";
import {
  type EndpointSubject,
  requireEndpoint,
  type WebhookEndpoint,
  webhookEndpoints,
} from "../webhook-endpoint.ts";

export interface DisableFailingEndpointInput {
  readonly endpointId: string;
  /** The version of the endpoint whose attempts failed. */
  readonly setting: bigint;
}

/**
 * Disables an endpoint whose attempts have all failed for five days. Changes nothing when it was updated since, or is disabled. Refuses an
 * unknown endpoint.
 */
export const disableFailingEndpoint: Command<DisableFailingEndpointInput, WebhookEndpoint> = {
  name: "disable-failing-endpoint",
  needs: (_world, { endpointId }) => [webhookEndpoints.ref(endpointId)],
  decide(world, { endpointId, setting }) {
    const endpoint = requireEndpoint(world, endpointId);
    if (endpoint.setting !== setting || endpoint.isDisabled) return endpoint;
    const disabled = world.put(webhookEndpoints, {
      ...endpoint,
      isDisabled: true,
      disabledReason: "Every attempt has failed for five days.",
      updatedAt: world.at,
    });
    world.emit("WEBHOOK_ENDPOINT.DISABLED", endpointSubject(disabled));
    return disabled;
  },
};

function endpointSubject(endpoint: WebhookEndpoint): EndpointSubject {
  return { kind: "WebhookEndpoint", id: toWireId("WebhookEndpoint", endpoint.id), endpoint };
}
