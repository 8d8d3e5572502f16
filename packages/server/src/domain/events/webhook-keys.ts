/**
 * The key that deliveries to the default endpoint are signed with, and its rotation. The platform's time alone decides which key is valid,
 * so no job runs when a rotation ends; the next rotation stores the result.
 */
import { createHash } from "node:crypto";
import type { Platform } from "../platform.ts";

export const NO_NEXT_WEBHOOK_KEY = {
  webhookNextKeyId: null,
  webhookNextPublicKey: null,
  webhookNextKeySealed: null,
  webhookNextFrom: null,
} as const;

const ID_DIGITS = 16;

/** The id of a key: the beginning of its fingerprint. */
export function webhookKeyIdOf(publicKeyPem: string): string {
  return createHash("sha256").update(publicKeyPem).digest("hex").slice(0, ID_DIGITS);
}

/** The platform with the key that is valid at this time of its clock: a rotation whose overlap is over has ended. */
export function settledWebhookKeys(platform: Platform, at: number): Platform {
  const { webhookNextKeyId, webhookNextPublicKey, webhookNextKeySealed, webhookNextFrom } =
    platform;
  if (
    webhookNextFrom === null ||
    webhookNextFrom > at ||
    webhookNextPublicKey === null ||
    webhookNextKeySealed === null
  ) {
    return platform;
  }
  return {
    ...platform,
    webhookKeyId: webhookNextKeyId,
    webhookPublicKey: webhookNextPublicKey,
    webhookPrivateKeySealed: webhookNextKeySealed,
    ...NO_NEXT_WEBHOOK_KEY,
  };
}
