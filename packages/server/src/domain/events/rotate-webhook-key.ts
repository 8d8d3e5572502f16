import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type Platform, platforms } from "../platform.ts";
import { overlapEnd, refuseWhileRotating } from "./rotate-endpoint-key.ts";
import { settledWebhookKeys, webhookKeyIdOf } from "./webhook-keys.ts";

export interface RotateWebhookKeyInput {
  readonly publicKey: string;
  /** The caller sealed it. */
  readonly privateKeySealed: string;
  readonly overlapHours: number;
}

/**
 * Gives the default endpoint a new key, which takes over after the overlap; until then both sign. From the first rotation on,
 * deliveries name their key. Refuses, in this order: an unknown platform, one whose last rotation has not ended.
 */
export const rotateWebhookKey: Command<RotateWebhookKeyInput, Platform> = {
  name: "rotate-webhook-key",
  needs: (world) => [platforms.ref(world.platformId)],
  decide(world, { publicKey, privateKeySealed, overlapHours }) {
    const found = world.find(platforms.ref(world.platformId));
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const platform = settledWebhookKeys(found, world.at);
    refuseWhileRotating(platform.webhookNextFrom);
    const rotated = {
      ...platform,
      webhookKeyId: platform.webhookKeyId ?? webhookKeyIdOf(platform.webhookPublicKey),
      webhookNextKeyId: webhookKeyIdOf(publicKey),
      webhookNextPublicKey: publicKey,
      webhookNextKeySealed: privateKeySealed,
      webhookNextFrom: overlapEnd(world.at, overlapHours),
      updatedAt: world.at,
    };
    return world.put(platforms, settledWebhookKeys(rotated, world.at));
  },
};
