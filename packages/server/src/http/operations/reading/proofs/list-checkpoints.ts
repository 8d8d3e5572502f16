import Type from "typebox";
import { listCheckpoints as list } from "../../../../domain/reading/proofs/proofs.sql.ts";
import { listOf } from "../../../../wire/fields.ts";
import {
  CheckpointSchema,
  checkpointExample,
  checkpointJson,
} from "../../../../wire/reading/checkpoint.ts";
import { answerPage } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listCheckpoints = defineOperation({
  id: "listCheckpoints",
  method: "GET",
  path: "/ledger/checkpoints",
  access: "VIEW",
  capability: "ledger.read",
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
    200: {
      description: "By `seq`, the latest first unless `sortOrder` says otherwise.",
      schema: listOf(CheckpointSchema),
      example: { data: [checkpointExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listCheckpoints",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          fromSeq: query.fromSeq === undefined ? undefined : BigInt(query.fromSeq),
          order: query.sortOrder ?? "desc",
        }),
      positionOf: ({ seq, id }) => `${seq}.${id}`,
      toJson: (checkpoint) => checkpointJson(checkpoint, principal.platformId),
    }),
});
