import Type from "typebox";
import { findProof, type Proof } from "../../../../domain/reading/proofs/proofs.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import type { Reads } from "../../../../postgres/database.ts";
import { CommandSchema, commandExample, commandJson } from "../../../../wire/reading/proof.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const commandInPath = Type.Object({
  seq: Type.String({ description: "The `commandSeq` of an entry or a posting.", examples: ["17"] }),
});

const SEQ = /^[1-9][0-9]{0,17}$/;

/** A malformed number is answered like an unknown one. */
export async function requireProof(
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

export const getLedgerCommand = defineOperation({
  id: "getLedgerCommand",
  method: "GET",
  path: "/ledger/commands/{seq}",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "Get a command",
  description: "A row of the command log with its hashes.",
  params: commandInPath,
  answers: {
    200: { description: "The command.", schema: CommandSchema, example: commandExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params: { seq } }, { reads }: Services) {
    const place = { seq, withEffects: false };
    const { command, previousHash } = await requireProof(reads, platformId, place);
    return { status: 200, body: commandJson(command, previousHash) };
  },
});
