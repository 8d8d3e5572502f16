import Type from "typebox";
import {
  type Checkpoint,
  checkpointText,
  toCheckpointId,
} from "../../domain/reading/proofs/checkpoint.ts";
import { toIso } from "../../std/clock.ts";
import { webhookKeyExample } from "../events/webhook-key.ts";
import { DateTimeSchema } from "../fields.ts";
import { DigestSchema } from "./digest.ts";

export const CheckpointSchema = Type.Object(
  {
    id: Type.String({ description: "`Checkpoint:<uuid>`" }),
    seq: Type.Integer({ minimum: 0, description: "The command whose hash it holds." }),
    chainHash: DigestSchema,
    at: Type.String({ format: "date-time", description: "When that command was committed." }),
    text: Type.String({
      description:
        "What is signed: the five lines `florin checkpoint v1`, the id of the platform, `seq`, `chainHash` and `at`, each with a line end.",
    }),
    signature: Type.String({
      description:
        'Like `X-Service-Signature` of a delivery, over the bytes of `text`: `{"v":"1","s":"<base64>"}`.',
    }),
    keyId: Type.String({ description: "As in `GET /webhooks/public-key`." }),
    publicKey: Type.String({
      description:
        "SPKI PEM of the key. Compare it with one that was kept elsewhere, because a person who can change the database can change this one, too.",
    }),
    createdAt: DateTimeSchema,
  },
  { $id: "Checkpoint" },
);

export function checkpointJson(checkpoint: Checkpoint, platformId: string): string {
  const { id, seq, chainHash, at, signature, keyId, publicKey, createdAt } = checkpoint;
  return JSON.stringify({
    id: toCheckpointId(id),
    seq: Number(seq),
    chainHash: chainHash.toString("hex"),
    at: toIso(at),
    text: checkpointText(platformId, checkpoint),
    signature,
    keyId,
    publicKey,
    createdAt: toIso(createdAt),
  });
}

const HASH = "9b3c6d0f5a4e82719b3c6d0f5a4e82719b3c6d0f5a4e82719b3c6d0f5a4e8271";

export const checkpointExample = {
  id: "Checkpoint:019a4f00-0000-7000-8000-000000000041",
  seq: 17,
  chainHash: HASH,
  at: "2026-11-21T10:00:00.000Z",
  text: `florin checkpoint v1\nPlatformConfig:019a4f00-0000-7000-8000-000000000001\n17\n${HASH}\n2026-11-21T10:00:00.000Z\n`,
  signature: '{"v":"1","s":"MEUCIQDk…"}',
  keyId: webhookKeyExample.keyId,
  publicKey: webhookKeyExample.publicKey,
  createdAt: "2026-11-21T10:00:01.000Z",
};
