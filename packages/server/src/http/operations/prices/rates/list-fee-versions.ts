import Type from "typebox";
import { listRuleVersions } from "../../../../domain/prices/price-rules/price-rules.ts";
import { listOf } from "../../../../wire/fields.ts";
import {
  FeeVersionSchema,
  feesExample,
  feeVersionJson,
} from "../../../../wire/prices/price-rules.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

const { updatedAt: createdAt, ...example } = feesExample;

export const listFeeVersions = defineOperation({
  id: "listFeeVersions",
  method: "GET",
  path: "/fees/versions",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "List the versions of the fees",
  query: Type.Object({ ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(FeeVersionSchema),
      example: { data: [{ ...example, createdAt }], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listFeeVersions",
      principal,
      query,
      load: (page) =>
        listRuleVersions(services.reads, {
          ...page,
          conditions: [{ sql: "t.kind = 'FEES'" }],
        }),
      idOf: (version) => version.id,
      toJson: feeVersionJson,
    }),
});
