import { ProofSchema, proofExample, proofJson } from "../../../../wire/reading/proof.ts";
import { defineOperation, maySeePersonalData } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { commandInPath, requireProof } from "./get-ledger-command.ts";

export const getCommandProof = defineOperation({
  id: "getCommandProof",
  method: "GET",
  path: "/ledger/commands/{seq}/proof",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "Get the proof of a command",
  description:
    "The exact texts under the hashes of a command, so that they can be computed again elsewhere. With the links of `GET /ledger/chain` up to a checkpoint it " +
    "shows that nothing of the command was changed since the checkpoint was signed; `florin proof check` does that offline.",
  params: commandInPath,
  answers: {
    200: { description: "The texts.", schema: ProofSchema, example: proofExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params: { seq } }, { reads }: Services) {
    const place = { seq, withEffects: maySeePersonalData(principal) };
    const proof = await requireProof(reads, principal.platformId, place);
    return { status: 200, body: proofJson(proof) };
  },
});
