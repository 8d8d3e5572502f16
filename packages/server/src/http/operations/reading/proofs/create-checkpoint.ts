import { findPlatform } from "../../../../domain/platform.sql.ts";
import { askedCheckpointId } from "../../../../domain/reading/proofs/checkpoint.ts";
import { lastCommand } from "../../../../domain/reading/proofs/proofs.sql.ts";
import { recordCheckpoint } from "../../../../domain/reading/proofs/record-checkpoint.ts";
import { signCheckpoint } from "../../../../domain/reading/proofs/sign-checkpoint.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  CheckpointSchema,
  checkpointExample,
  checkpointJson,
} from "../../../../wire/reading/checkpoint.ts";
import { defineOperation } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const createCheckpoint = defineOperation({
  id: "createCheckpoint",
  method: "POST",
  path: "/ledger/checkpoints",
  access: "MANAGE",
  capability: "statements.read",
  tag: "Ledger",
  summary: "Create a checkpoint",
  description:
    "Signs the hash of the last command. One is made each day (UTC) on which something was committed; this makes another one now. Checkpoints " +
    "are kept for good, so each minute has one of these at most; another one is answered 429. An endpoint beside the default one that asks for " +
    "`LEDGER.CHECKPOINT` is told of each.",
  answers: {
    201: { description: "The checkpoint.", schema: CheckpointSchema, example: checkpointExample },
  },
  refusals: ["RATE_LIMITED"],
  async handle({ principal, idempotency }, services: Services) {
    const { engine, reads, sealer } = services;
    const { platformId } = principal;
    const platform = await findPlatform(reads, platformId);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const at = await platformTime(services, platformId);
    return submitForCaller(engine, principal, {
      command: recordCheckpoint,
      input: {
        ...signCheckpoint(platform, await lastCommand(reads, platformId), { sealer, at }),
        id: askedCheckpointId(platformId, at),
        isAsked: true,
      },
      toAnswer: (checkpoint) => ({ status: 201, body: checkpointJson(checkpoint, platformId) }),
      idempotency,
    });
  },
});
