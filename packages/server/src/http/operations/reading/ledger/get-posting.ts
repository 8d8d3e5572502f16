import Type from "typebox";
import { findPosting } from "../../../../domain/accounts/internal/entries.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { PostingSchema, postingExample, postingJson } from "../../../../wire/reading/ledger.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getPosting = defineOperation({
  id: "getPosting",
  method: "GET",
  path: "/ledger/postings/{posting}",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "Get a posting",
  params: Type.Object({
    posting: Type.String({ description: "`<commandSeq>.<n>`", examples: ["17.0"] }),
  }),
  answers: {
    200: { description: "The posting.", schema: PostingSchema, example: postingExample },
  },
  refusals: ["POSTING_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const place = parsePostingId(params.posting);
    const posting = place && (await findPosting(reads, platformId, place));
    if (posting === undefined) throw new Refusal("POSTING_NOT_FOUND");
    return { status: 200, body: postingJson(posting) };
  },
});

const POSTING = /^([1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,8})$/;

export function parsePostingId(text: string) {
  const [, commandSeq, posting] = POSTING.exec(text) ?? [];
  if (commandSeq === undefined) return undefined;
  return { commandSeq: BigInt(commandSeq), posting: Number(posting) };
}
