import Type from "typebox";
import { listBeneficialOwners as list } from "../../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import {
  BeneficialOwnerSchema,
  beneficialOwnerExample,
  beneficialOwnerJson,
} from "../../../../wire/customers/beneficial-owner.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listBeneficialOwners = defineOperation({
  id: "listBeneficialOwners",
  method: "GET",
  path: "/beneficial-owners",
  access: "VIEW",
  capability: "customers.read",
  tag: "Beneficial owners",
  summary: "List beneficial owners",
  description: "The beneficial owners of one business.",
  query: Type.Object({ customerId: idField("Customer"), ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(BeneficialOwnerSchema),
      example: { data: [beneficialOwnerExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listBeneficialOwners",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid")],
        }),
      idOf: ({ id }) => id,
      toJson: beneficialOwnerJson,
    }),
});
