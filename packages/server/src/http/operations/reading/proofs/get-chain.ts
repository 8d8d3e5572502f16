import Type from "typebox";
import { chainBetween, lastCommand } from "../../../../domain/reading/proofs/proofs.sql.ts";
import { invalidField } from "../../../../engine/refusal.ts";
import { ChainSchema, chainExample, chainJson } from "../../../../wire/reading/proof.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

const MOST_LINKS = 10_000;

const number = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [17] });

export const getChain = defineOperation({
  id: "getChain",
  method: "GET",
  path: "/ledger/chain",
  access: "VIEW",
  capability: "ledger.read",
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
