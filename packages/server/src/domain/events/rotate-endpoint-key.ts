import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { toIso } from "../../std/clock.ts";
import {
  type EndpointKey,
  requireEndpoint,
  settledKeys,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./webhook-endpoint.ts";

const HOUR_MS = 3_600_000;

export interface RotateEndpointKeyInput {
  readonly endpointId: string;
  /** A new key for each kind of signature, because only the command knows which kind the endpoint has. */
  readonly keys: readonly EndpointKey[];
  readonly overlapHours: number;
}

/** When the new key takes over. */
export function overlapEnd(at: number, overlapHours: number): number {
  return at + overlapHours * HOUR_MS;
}

/** Refuses a rotation while the last one has not ended; `nextFrom` is its end, null when it has ended. */
export function refuseWhileRotating(nextFrom: number | null): void {
  if (nextFrom === null) return;
  const until = toIso(nextFrom);
  throw new Refusal("CONFLICT", { until }, `The last rotation of this key ends at ${until}.`);
}

/**
 * Gives an endpoint a new key, which takes over after the overlap; until then both sign. Refuses, in this order: an unknown
 * endpoint, one whose last rotation has not ended.
 */
export const rotateEndpointKey: Command<RotateEndpointKeyInput, WebhookEndpoint> = {
  name: "rotate-endpoint-key",
  needs: (_world, { endpointId }) => [webhookEndpoints.ref(endpointId)],
  decide(world, { endpointId, keys, overlapHours }) {
    const endpoint = settledKeys(requireEndpoint(world, endpointId), world.at);
    refuseWhileRotating(endpoint.nextFrom);
    const key = keys.find(({ signature }) => signature === endpoint.signature);
    if (key === undefined) throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
    const rotated = {
      ...endpoint,
      nextKeyId: key.keyId,
      nextPublicKey: key.publicKey,
      nextSecretSealed: key.secretSealed,
      nextFrom: overlapEnd(world.at, overlapHours),
      updatedAt: world.at,
    };
    return world.put(webhookEndpoints, settledKeys(rotated, world.at));
  },
};
