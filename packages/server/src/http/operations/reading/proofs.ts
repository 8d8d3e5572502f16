import Type from "typebox";
import { findPlatform } from "../../../domain/platform.sql.ts";
import { askedCheckpointId } from "../../../domain/reading/proofs/checkpoint.ts";
import {
  chainBetween,
  findProof,
  lastCommand,
  listCheckpoints as loadCheckpoints,
  type Proof,
} from "../../../domain/reading/proofs/proofs.sql.ts";
import {
  recordCheckpoint,
  signCheckpoint,
} from "../../../domain/reading/proofs/record-checkpoint.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import {
  CheckpointSchema,
  checkpointExample,
  checkpointJson,
} from "../../../wire/reading/checkpoint.ts";
import {
  ChainSchema,
  chainExample,
  chainJson,
  wireCommand,
  wireProof,
} from "../../../wire/reading/proof.ts";
import { answerPage } from "../../request/list.ts";
import { shown, uncountedPageOf } from "../../request/noun.ts";
import { defineOperation, maySeePersonalData, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const commandInPath = Type.Object({
  seq: Type.String({ description: "The `commandSeq` of an entry or a posting.", examples: ["17"] }),
});

const SEQ = /^[1-9][0-9]{0,17}$/;

/** A malformed number is answered like an unknown one. */
async function requireProof(
  reads: Reads,
  platformId: string,
  { seq, withEffects }: { readonly seq: string; readonly withEffects: boolean },
): Promise<Proof> {
  const proof = SEQ.test(seq)
    ? await findProof(reads, platformId, { seq: BigInt(seq), withEffects })
    : undefined;
  if (proof === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return proof;
}

const getLedgerCommand = defineOperation({
  id: "getLedgerCommand",
  ...route("GET /ledger/commands/{seq}", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "Get a command",
  description: "A row of the command log with its hashes.",
  params: commandInPath,
  answers: {
    200: shown(wireCommand, "The command."),
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params: { seq } }, { reads }: Services) {
    const place = { seq, withEffects: false };
    const { command, previousHash } = await requireProof(reads, platformId, place);
    return { status: 200, body: wireCommand.json(command, previousHash) };
  },
});

const getCommandProof = defineOperation({
  id: "getCommandProof",
  ...route("GET /ledger/commands/{seq}/proof", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "Get the proof of a command",
  description:
    "The exact texts under the hashes of a command, so that they can be computed again elsewhere. With the links of `GET /ledger/chain` up to a checkpoint it " +
    "shows that nothing of the command was changed since the checkpoint was signed; `florin proof check` does that offline.",
  params: commandInPath,
  answers: {
    200: shown(wireProof, "The texts."),
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params: { seq } }, { reads }: Services) {
    const place = { seq, withEffects: maySeePersonalData(principal) };
    const proof = await requireProof(reads, principal.platformId, place);
    return { status: 200, body: wireProof.json(proof) };
  },
});

const MOST_LINKS = 10_000;

const number = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [17] });

const getChain = defineOperation({
  id: "getChain",
  ...route("GET /ledger/chain", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "Get a stretch of the chain",
  description: `At most ${MOST_LINKS.toLocaleString("en")} links, in the order of the log.`,
  query: Type.Object({
    from: number("The first command."),
    to: Type.Optional(number("The last one; as many as fit when it is absent.")),
  }),
  answers: {
    200: {
      description: "The links that there are.",
      schema: ChainSchema,
      example: chainExample,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, { reads }: Services) {
    const { from, to = from + MOST_LINKS - 1 } = query;
    if (to < from) throw invalidField("to", "must not be below from");
    if (to - from >= MOST_LINKS) throw invalidField("to", `must be below from + ${MOST_LINKS}`);
    const stretch = { from: BigInt(from), to: BigInt(to) };
    const { previousHash, commands, headSeq } = await reads.withPermit(
      platformId,
      async (cells) => ({
        headSeq: (await lastCommand({ cells }, platformId)).seq,
        ...(await chainBetween({ cells }, platformId, stretch)),
      }),
    );
    const place = { from: stretch.from, headSeq, previousHash };
    return { status: 200, body: chainJson(place, commands) };
  },
});

const listCheckpoints = defineOperation({
  id: "listCheckpoints",
  ...route("GET /ledger/checkpoints", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "List checkpoints",
  query: Type.Object({
    fromSeq: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "Of this command or a later one.",
        examples: [17],
      }),
    ),
    sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
    ...pageParameters,
  }),
  answers: {
    200: uncountedPageOf(
      { schema: CheckpointSchema, example: checkpointExample },
      "By `seq`, the latest first unless `sortOrder` says otherwise.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listCheckpoints",
      principal,
      query,
      load: (page) =>
        loadCheckpoints(services.reads, {
          ...page,
          fromSeq: query.fromSeq === undefined ? undefined : BigInt(query.fromSeq),
          order: query.sortOrder ?? "desc",
        }),
      positionOf: ({ seq, id }) => `${seq}.${id}`,
      toJson: (checkpoint) => checkpointJson(checkpoint, principal.platformId),
    }),
});

const createCheckpoint = defineOperation({
  id: "createCheckpoint",
  ...route("POST /ledger/checkpoints", "MANAGE", "statements.read"),
  tag: "Ledger",
  summary: "Create a checkpoint",
  description:
    "Signs the hash of the last command. One is made each day (UTC) on which something was committed; this makes another one now. Checkpoints " +
    "are kept for good, so each minute has one of these at most; another one is answered 429. An endpoint beside the default one that asks for " +
    "`LEDGER.CHECKPOINT` is told of each.",
  answers: {
    201: { description: "The checkpoint.", schema: CheckpointSchema, example: checkpointExample },
  },
  events: ["LEDGER.CHECKPOINT"],
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

export const proofOperations = [
  getLedgerCommand,
  getCommandProof,
  getChain,
  listCheckpoints,
  createCheckpoint,
];
