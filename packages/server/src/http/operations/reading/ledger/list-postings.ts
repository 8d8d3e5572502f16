import Type, { type Static } from "typebox";
import { listPostings as list } from "../../../../domain/accounts/internal/entries.sql.ts";
import { present } from "../../../../std/assert.ts";
import { dateTimeParameter, listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { PostingSchema, postingExample, postingJson } from "../../../../wire/reading/ledger.ts";
import { momentsOf } from "../../../request/filters.ts";
import { answerPage } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { parsePostingId } from "./get-posting.ts";
import { reasonParameter } from "./list-ledger-entries.ts";

export const postingFilters = {
  accountId: Type.Optional(
    idField("LedgerAccount", { description: "With a leg on this account." }),
  ),
  reason: reasonParameter,
  transactionId: Type.Optional(
    idField("Transaction", { description: "Of commands that told of this transaction." }),
  ),
  since: dateTimeParameter("Of this time or later."),
  until: dateTimeParameter("Of this time or earlier."),
};

const Filters = Type.Object(postingFilters);

export const listPostings = defineOperation({
  id: "listPostings",
  method: "GET",
  path: "/ledger/postings",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "List postings",
  query: Type.Object({ ...postingFilters, ...pageParameters }),
  answers: {
    200: {
      description:
        "The latest first, with all their legs. A page that is filtered by a frequent reason is searched in 20,000 entries: it may " +
        "hold fewer rows than `limit`, or none, while `hasMore` is true.",
      schema: listOf(PostingSchema),
      example: { data: [postingExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listPostings",
      principal,
      query,
      load: ({ platformId, after, limit }) =>
        list(services.reads, {
          platformId,
          limit,
          ...postingQueryOf(query),
          after: after === undefined ? undefined : present(parsePostingId(after), "a posting"),
        }),
      positionOf: ({ commandSeq, posting }) => `${commandSeq}.${posting}`,
      toJson: postingJson,
    }),
});

export function postingQueryOf({
  accountId,
  reason,
  transactionId,
  ...moments
}: Static<typeof Filters>) {
  return {
    accountId: queryId("LedgerAccount", accountId),
    reason,
    transactionId,
    ...momentsOf(moments),
  };
}
