import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { signBody, toSigningKey } from "../../events/signature.ts";
import { settledWebhookKeys, webhookKeyIdOf } from "../../events/webhook-keys.ts";
import { type Platform, webhookKeyIdentity } from "../../platform.ts";
import {
  CHECKPOINT_EVERY_MS,
  type Checkpoint,
  type CheckpointFacts,
  checkpoints,
  checkpointText,
  toCheckpointId,
} from "./checkpoint.ts";

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

interface RecordCheckpointInput extends CheckpointFacts {
  readonly publicKey: string;
  readonly keyId: string;
  readonly signature: string;
  /** From `dailyCheckpointId` or `askedCheckpointId`. */
  readonly id: string;
  /** Whether a caller asked for it. */
  readonly isAsked: boolean;
}

/**
 * Stores a checkpoint that the caller has signed, and emits its event. The command that it names is committed, so it is final. A daily
 * checkpoint that exists already is returned. Refuses a second one that callers ask for within a minute: RATE_LIMITED.
 */
export const recordCheckpoint: Command<RecordCheckpointInput, Checkpoint> = {
  name: "record-checkpoint",
  needs: (_world, { id }) => [checkpoints.ref(id)],
  decide(world, { id, isAsked, ...facts }) {
    const known = world.find(checkpoints.ref(id));
    if (known !== undefined && isAsked) throw tooOften(world.at);
    if (known !== undefined) return known;
    const checkpoint = world.put(checkpoints, { id, ...facts, createdAt: world.at });
    const subject = { kind: "Checkpoint", id: toCheckpointId(checkpoint.id), checkpoint };
    world.emit("LEDGER.CHECKPOINT", subject);
    return checkpoint;
  },
};

function tooOften(at: number): Refusal {
  const waitMs = CHECKPOINT_EVERY_MS - (at % CHECKPOINT_EVERY_MS);
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const message = `A checkpoint was made in this minute; the next one can be made in ${retryAfterSeconds} seconds.`;
  return new Refusal("RATE_LIMITED", { retryAfterSeconds }, message);
}
