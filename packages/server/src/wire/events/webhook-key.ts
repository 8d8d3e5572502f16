/** The key of the default endpoint, and the one that takes over from it. */
import Type from "typebox";
import { webhookKeyIdOf } from "../../domain/events/webhook-keys.ts";
import type { Platform } from "../../domain/platform.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema } from "../fields.ts";

export const WebhookKeySchema = Type.Object(
  {
    publicKey: Type.String({ description: "SPKI PEM. It verifies `X-Service-Signature`." }),
    keyId: Type.String({
      description: "As in `X-Service-Key-Id`, which deliveries have from the first rotation on.",
    }),
    next: Type.Optional(
      Type.Object(
        {
          publicKey: Type.String({
            description: "SPKI PEM. It verifies `X-Service-Signature-Next`.",
          }),
          keyId: Type.String(),
          from: DateTimeSchema,
        },
        {
          description:
            "The key that takes over at `from`; deliveries carry both signatures until then.",
        },
      ),
    ),
  },
  { $id: "WebhookKey" },
);

/** The keys of a platform that comes from `settledWebhookKeys`. */
export function webhookKeyJson({
  webhookKeyId,
  webhookPublicKey: publicKey,
  ...platform
}: Platform): string {
  return JSON.stringify({
    publicKey,
    keyId: webhookKeyId ?? webhookKeyIdOf(publicKey),
    ...nextWebhookKey(platform),
  });
}

export function nextWebhookKey({
  webhookNextKeyId: keyId,
  webhookNextPublicKey: publicKey,
  webhookNextFrom: from,
}: Pick<Platform, "webhookNextKeyId" | "webhookNextPublicKey" | "webhookNextFrom">) {
  return from === null ? {} : { next: { publicKey, keyId, from: toIso(from) } };
}

export const webhookKeyExample = {
  publicKey: "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n",
  keyId: "5f0c4b8f6f9a4f5e",
};

export const rotatedWebhookKeyExample = {
  ...webhookKeyExample,
  next: {
    publicKey: "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n",
    keyId: "a07e3d5c9b1f2468",
    from: "2026-11-23T09:00:00.000Z",
  },
};
