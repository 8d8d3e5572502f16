/** The command log as a platform reads it: a command, the content that its hashes cover, and a section of the chain. */
import Type from "typebox";
import type { Proof } from "../../domain/reading/proofs/proofs.sql.ts";
import { commandText, type LoggedCommand } from "../../engine/command-log.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { checkpointExample, DigestSchema } from "./checkpoint.ts";

const digest = (description: string) => Type.Intersect([DigestSchema], { description });

const HASH = checkpointExample.chainHash;
const DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const hex = (bytes: Buffer) => bytes.toString("hex");

export const wireCommand = wireObject(
  "LedgerCommand",
  ({ of, maybe }: Kit<LoggedCommand, Buffer>) => ({
    seq: of.integer({
      minimum: 1,
      description: "Its number in the log, which has no gaps.",
      example: 17,
    }),
    id: of.text({
      description: "The id of the command, a UUID.",
      example: "019a4f00-0000-7000-8000-000000000042",
    }),
    name: of.text({ examples: ["transfer-out"], example: "transfer-out" }),
    actor: of.text({
      description: "Who gave it: a kind and an id.",
      examples: ["worker jobs"],
      example: "token 019a4f00-0000-7000-8000-000000000003",
    }),
    at: of.time({ example: "2026-11-21T10:00:00.000Z" }),
    idempotencyScope: maybe.text({ description: "With an idempotency key." }),
    idempotencyKey: maybe.text(),
    status: of.integer({ description: "The status of its answer.", example: 201 }),
    previousHash: of.json(digest("The hash of the command before; 64 zeros for the first one."), {
      from: (_, previousHash) => hex(previousHash),
      example: DIGEST,
    }),
    answerDigest: of.json(digest("Of its answer, which is kept for 30 days."), {
      from: ({ answerDigest }) => hex(answerDigest),
      example: DIGEST,
    }),
    effectsDigest: of.json(digest("Of its ledger entries, its events and its audit entry."), {
      from: ({ effectsDigest }) => hex(effectsDigest),
      example: DIGEST,
    }),
    hash: of.json(
      digest("Of `previousHash` and the row, see `GET /ledger/commands/{seq}/proof`."),
      {
        from: ({ hash }) => hex(hash),
        example: HASH,
      },
    ),
  }),
);

const row = `17\n${wireCommand.example.id}\ntransfer-out\n${wireCommand.example.actor}\n1795255200000\n0\n\n\n\n201\nfalse\n${DIGEST}\n${DIGEST}\n`;

const EffectsSchema = Type.Array(
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
);

export const wireProof = wireObject("CommandProof", ({ of, maybe }: Kit<Proof>) => ({
  seq: of.integer({ from: ({ command }) => command.seq, minimum: 1, example: 17 }),
  previousHash: of.json(DigestSchema, {
    from: ({ previousHash }) => hex(previousHash),
    example: DIGEST,
  }),
  row: of.text({
    from: ({ command }) => commandText(command),
    description:
      "`hash` is the SHA-256 of `previousHash`, a line end, and this text. Its last line is `effectsDigest`.",
    example: row,
  }),
  hash: of.json(DigestSchema, { from: ({ command }) => hex(command.hash), example: HASH }),
  effectsDigest: of.json(DigestSchema, {
    from: ({ command }) => hex(command.effectsDigest),
    example: DIGEST,
  }),
  effects: maybe.json(EffectsSchema, {
    example: [
      {
        table: "ledger_entries",
        row: "line 0",
        text: "e 019a4f00-0000-7000-8000-000000000004 2 0 payout.hold USD -1500 8500 -\n",
      },
    ],
  }),
}));

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

export const chainExample = {
  from: 17,
  to: 17,
  headSeq: 17,
  previousHash: DIGEST,
  links: [{ seq: 17, row, hash: HASH }],
};
