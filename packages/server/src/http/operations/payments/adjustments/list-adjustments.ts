import Type from "typebox";
import { listAdjustments as list } from "../../../../domain/payments/adjustments/adjustment.ts";
import { currencyFacet } from "../../../../tables/facets.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import {
  AdjustmentSchema,
  adjustmentExample,
  adjustmentJson,
} from "../../../../wire/people/adjustment.ts";
import { currencyParameter, when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listAdjustments = defineOperation({
  id: "listAdjustments",
  method: "GET",
  path: "/adjustments",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Adjustments",
  summary: "List adjustments",
  description: "Those that were posted. What waits for people is in `GET /approvals`.",
  query: Type.Object({
    accountId: Type.Optional(idField("InternalAccount")),
    currency: currencyParameter,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(AdjustmentSchema),
      example: { data: [adjustmentExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listAdjustments",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            when(queryId("InternalAccount", query.accountId), "t.account_id = ?::uuid"),
            whenFacet(query.currency, currencyFacet),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: adjustmentJson,
    }),
});
