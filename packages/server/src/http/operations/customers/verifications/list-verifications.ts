import Type from "typebox";
import { listVerifications as list } from "../../../../domain/customers/verification/verification.sql.ts";
import { verificationStatuses } from "../../../../domain/customers/verification/verification.ts";
import {
  VerificationSchema,
  verificationExample,
  verificationJson,
} from "../../../../wire/customers/verification.ts";
import { listOf } from "../../../../wire/fields.ts";
import { customerIdParameter } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listVerifications = defineOperation({
  id: "listVerifications",
  method: "GET",
  path: "/verifications",
  access: "VIEW",
  capability: "customers.read",
  tag: "Verifications",
  summary: "List verifications",
  query: Type.Object({
    customerId: customerIdParameter(),
    verificationStatus: Type.Optional(Type.Enum([...verificationStatuses])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(VerificationSchema),
      example: { data: [verificationExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listVerifications",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
            when(query.verificationStatus, "t.status = ?::text"),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: verificationJson,
    }),
});
