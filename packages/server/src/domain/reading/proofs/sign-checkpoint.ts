import type { Sealer } from "../../../secrets/sealing.ts";
import { signBody, toSigningKey } from "../../events/signature.ts";
import { settledWebhookKeys, webhookKeyIdOf } from "../../events/webhook-keys.ts";
import { type Platform, webhookKeyIdentity } from "../../platform.ts";
import { type CheckpointFacts, checkpointText } from "./checkpoint.ts";
import type { RecordCheckpointInput } from "./record-checkpoint.ts";

/** Signs with the key that is valid at this time of the platform. */
export function signCheckpoint(
  platform: Platform,
  facts: CheckpointFacts,
  { sealer, at }: { readonly sealer: Sealer; readonly at: number },
): Omit<RecordCheckpointInput, "id" | "isAsked"> {
  const {
    id: platformId,
    webhookPublicKey: publicKey,
    webhookKeyId,
    webhookPrivateKeySealed,
  } = settledWebhookKeys(platform, at);
  const key = toSigningKey(sealer.open(webhookPrivateKeySealed, webhookKeyIdentity(platformId)));
  return {
    ...facts,
    publicKey,
    keyId: webhookKeyId ?? webhookKeyIdOf(publicKey),
    signature: signBody(key, checkpointText(platformId, facts)),
  };
}
