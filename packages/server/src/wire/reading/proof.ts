/** The command log as a platform reads it: a command, what its hashes cover, and a stretch of the chain. */
import Type from "typebox";
import type { Proof } from "../../domain/reading/proofs/proofs.sql.ts";
import type { LoggedCommand } from "../../engine/command-log.ts";
import { commandText } from "../../engine/command-log.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema } from "../fields.ts";
import { checkpointExample } from "./checkpoint.ts";
import { DigestSchema } from "./digest.ts";

const digest = (description: string) => Type.Intersect([DigestSchema], { description });

export const CommandSchema = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: "Its number in the log, which has no gaps." }),
    id: Type.String({ description: "The id of the command, a UUID." }),
    name: Type.String({ examples: ["transfer-out"] }),
    actor: Type.String({
      description: "Who gave it: a kind and an id.",
      examples: ["worker jobs"],
    }),
    at: DateTimeSchema,
    idempotencyScope: Type.Optional(Type.String({ description: "With an idempotency key." })),
    idempotencyKey: Type.Optional(Type.String()),
    status: Type.Integer({ description: "The status of its answer." }),
    previousHash: digest("The hash of the command before; 64 zeros for the first one."),
    answerDigest: digest("Of its answer, which is kept for 30 days."),
    effectsDigest: digest("Of its ledger entries, its events and its audit entry."),
    hash: digest("Of `previousHash` and the row, see `GET /ledger/commands/{seq}/proof`."),
  },
  { $id: "LedgerCommand" },
);

export const ProofSchema = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    previousHash: DigestSchema,
    row: Type.String({
      description:
        "`hash` is the SHA-256 of `previousHash`, a line end, and this text. Its last line is `effectsDigest`.",
    }),
    hash: DigestSchema,
    effectsDigest: DigestSchema,
    effects: Type.Optional(
      Type.Array(
        Type.Object({
          table: Type.Enum(["ledger_entries", "events", "audit_entries"]),
          row: Type.String({ description: "Which one: a line, a sequence, or the id." }),
          text: Type.String(),
        }),
        {
          description:
            "The rows that the command has written. `effectsDigest` is the SHA-256 of their texts, one behind the other. Absent for a person who may not see " +
            "personal data: the digest stands in their place.",
        },
      ),
    ),
  },
  { $id: "CommandProof" },
);

export const ChainSchema = Type.Object(
  {
    from: Type.Integer({ minimum: 1 }),
    to: Type.Integer({
      minimum: 0,
      description: "The last link; below `from` when there is none.",
    }),
    headSeq: Type.Integer({ minimum: 0, description: "The last command of the log." }),
    previousHash: digest("The hash of the command before `from`; 64 zeros when that is the first."),
    links: Type.Array(
      Type.Object({ seq: Type.Integer({ minimum: 1 }), row: Type.String(), hash: DigestSchema }),
      {
        description: "Each `hash` is the SHA-256 of the hash before, a line end, and `row`.",
      },
    ),
  },
  { $id: "Chain" },
);

const hex = (bytes: Buffer) => bytes.toString("hex");

export function commandJson(command: LoggedCommand, previousHash: Buffer): string {
  const { seq, id, name, actor, at, idempotencyScope, idempotencyKey, status } = command;
  return JSON.stringify({
    seq: Number(seq),
    id,
    name,
    actor,
    at: toIso(at),
    ...(idempotencyScope === null ? {} : { idempotencyScope }),
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
    status,
    previousHash: hex(previousHash),
    answerDigest: hex(command.answerDigest),
    effectsDigest: hex(command.effectsDigest),
    hash: hex(command.hash),
  });
}

export function proofJson({ command, previousHash, effects }: Proof): string {
  return JSON.stringify({
    seq: Number(command.seq),
    previousHash: hex(previousHash),
    row: commandText(command),
    hash: hex(command.hash),
    effectsDigest: hex(command.effectsDigest),
    effects,
  });
}

export function chainJson(
  { from, headSeq, previousHash }: { from: bigint; headSeq: bigint; previousHash: Buffer },
  commands: readonly LoggedCommand[],
): string {
  return JSON.stringify({
    from: Number(from),
    to: Number(commands.at(-1)?.seq ?? from - 1n),
    headSeq: Number(headSeq),
    previousHash: hex(previousHash),
    links: commands.map((command) => ({
      seq: Number(command.seq),
      row: commandText(command),
      hash: hex(command.hash),
    })),
  });
}

const HASH = checkpointExample.chainHash;
const DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export const commandExample = {
  seq: 17,
  id: "019a4f00-0000-7000-8000-000000000042",
  name: "transfer-out",
  actor: "token 019a4f00-0000-7000-8000-000000000003",
  at: "2026-11-21T10:00:00.000Z",
  status: 201,
  previousHash: DIGEST,
  answerDigest: DIGEST,
  effectsDigest: DIGEST,
  hash: HASH,
};

const row = `17\n${commandExample.id}\ntransfer-out\n${commandExample.actor}\n1795255200000\n0\n\n\n\n201\nfalse\n${DIGEST}\n${DIGEST}\n`;

export const proofExample = {
  seq: 17,
  previousHash: DIGEST,
  row,
  hash: HASH,
  effectsDigest: DIGEST,
  effects: [
    {
      table: "ledger_entries",
      row: "line 0",
      text: "e 019a4f00-0000-7000-8000-000000000004 2 0 payout.hold USD -1500 8500 -\n",
    },
  ],
};

export const chainExample = {
  from: 17,
  to: 17,
  headSeq: 17,
  previousHash: DIGEST,
  links: [{ seq: 17, row, hash: HASH }],
};
