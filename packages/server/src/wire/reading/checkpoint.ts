import Type from "typebox";
import { type Checkpoint, checkpointText } from "../../domain/reading/proofs/checkpoint.ts";
import { webhookKeyExample } from "../events/webhook-key.ts";
import { type Kit, wireObject } from "../wire-object.ts";

/** A SHA-256 in hexadecimal digits. */
export const DigestSchema = Type.String({ pattern: "^[0-9a-f]{64}$" });

const HASH = "9b3c6d0f5a4e82719b3c6d0f5a4e82719b3c6d0f5a4e82719b3c6d0f5a4e8271";

export const {
  schema: CheckpointSchema,
  json: checkpointJson,
  example: checkpointExample,
} = wireObject("Checkpoint", ({ of }: Kit<Checkpoint, string>) => ({
  id: of.id("Checkpoint", { description: "`Checkpoint:<uuid>`", example: 41 }),
  seq: of.integer({
    minimum: 0,
    description: "The command whose hash it holds.",
    example: 17,
  }),
  chainHash: of.json(DigestSchema, {
    from: ({ chainHash }) => chainHash.toString("hex"),
    example: HASH,
  }),
  at: of.time({
    description: "When that command was committed.",
    example: "2026-11-21T10:00:00.000Z",
  }),
  text: of.text({
    from: (checkpoint, platformId) => checkpointText(platformId, checkpoint),
    description:
      "What is signed: the five lines `florin checkpoint v1`, the id of the platform, `seq`, `chainHash` and `at`, each with a line end.",
    example: `florin checkpoint v1\nPlatformConfig:019a4f00-0000-7000-8000-000000000001\n17\n${HASH}\n2026-11-21T10:00:00.000Z\n`,
  }),
  signature: of.text({
    description:
      'Like `X-Service-Signature` of a delivery, over the bytes of `text`: `{"v":"1","s":"<base64>"}`.',
    example: '{"v":"1","s":"MEUCIQDk…"}',
  }),
  keyId: of.text({
    description: "As in `GET /webhooks/public-key`.",
    example: webhookKeyExample.keyId,
  }),
  publicKey: of.text({
    description:
      "SPKI PEM of the key. Compare it with one that was kept elsewhere, because a person who can change the database can change this one, too.",
    example: webhookKeyExample.publicKey,
  }),
  createdAt: of.time({ example: "2026-11-21T10:00:01.000Z" }),
}));
