import type { Command } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import {
  type BatchRule,
  batchColumns,
  type EndpointKey,
  liveEndpoints,
  MOST_ENDPOINTS,
  NO_NEXT_KEY,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./webhook-endpoint.ts";

export interface CreateWebhookEndpointInput {
  readonly url: string;
  readonly description: string | undefined;
  readonly events: readonly string[];
  /** The first event to deliver; undefined for the next one that is committed. */
  readonly fromSequence: bigint | undefined;
  /** Null for one event a request. */
  readonly delivery: BatchRule | null;
  readonly key: EndpointKey;
}

/**
 * Adds an endpoint, which gets the events from now on or from `fromSequence`. Refuses, in this order: a sequence beyond the next
 * event, one endpoint more than `MOST_ENDPOINTS`.
 */
export const createWebhookEndpoint: Command<CreateWebhookEndpointInput, WebhookEndpoint> = {
  name: "create-webhook-endpoint",
  needs: () => [liveEndpoints],
  decide(world, { url, description, events, fromSequence, delivery, key }) {
    const next = world.eventSeq + 1n;
    const from = fromSequence ?? next;
    if (from > next)
      throw invalidField("fromSequence", `must not be beyond the next event, ${next}`);
    if (world.all(liveEndpoints).length >= MOST_ENDPOINTS) {
      const message = `The platform has ${MOST_ENDPOINTS} webhook endpoints: delete one first.`;
      throw new Refusal("CONFLICT", { limit: MOST_ENDPOINTS }, message);
    }
    return world.put(webhookEndpoints, {
      id: world.newId(),
      url,
      description: description ?? null,
      events,
      isDisabled: false,
      disabledReason: null,
      setting: 0n,
      sinceEventSeq: from - 1n,
      filterSinceEventSeq: from - 1n,
      signature: key.signature,
      keyId: key.keyId,
      publicKey: key.publicKey,
      secretSealed: key.secretSealed,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
      ...NO_NEXT_KEY,
      ...batchColumns(delivery),
    });
  },
};
