import Type from "typebox";
import { orderDirections } from "../../../../domain/rails/connections/rail-connection.ts";
import {
  listRailPayments as list,
  RECALL_REQUESTED,
} from "../../../../domain/rails/orders/rail-payment.sql.ts";
import { idOfEndToEndId, railPaymentStates } from "../../../../domain/rails/orders/rail-payment.ts";
import { BEFORE_ALL_IDS } from "../../../../std/ids.ts";
import { stateFacet } from "../../../../tables/facets.ts";
import { dateTimeParameter, listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import {
  RailPaymentSchema,
  railPaymentExample,
  railPaymentJson,
} from "../../../../wire/rails/rail-payment.ts";
import { createdConditions, when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";

export const listRailPayments = defineOperation({
  id: "listRailPayments",
  method: "GET",
  path: "/rails/payments",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List rail payments",
  query: Type.Object({
    connectionId: Type.Optional(idField("RailConnection")),
    state: Type.Optional(Type.Enum([...railPaymentStates])),
    direction: Type.Optional(Type.Enum([...orderDirections])),
    conflict: Type.Optional(Type.Enum(["true"], { description: "Only those in conflict." })),
    recall: Type.Optional(
      Type.Enum(["REQUESTED"], { description: "Only those that the rail is asked to give back." }),
    ),
    transactionId: Type.Optional(idField("Transaction")),
    endToEndId: Type.Optional(
      Type.String({ maxLength: 35, examples: [railPaymentExample.endToEndId] }),
    ),
    from: dateTimeParameter("Created at this time or later."),
    to: dateTimeParameter("Created at this time or earlier."),
    minAgeSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: "Created this many seconds ago or earlier.",
      }),
    ),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailPaymentSchema),
      example: { data: [railPaymentExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const { endToEndId, minAgeSeconds } = query;
    const id =
      endToEndId === undefined ? undefined : (idOfEndToEndId(endToEndId) ?? BEFORE_ALL_IDS);
    const conditions = [
      when(queryId("RailConnection", query.connectionId), "t.connection_id = ?::uuid"),
      whenFacet(query.state, stateFacet),
      when(query.direction, "t.direction = ?::text"),
      query.conflict === undefined ? undefined : { sql: "t.is_conflict" },
      query.recall === undefined ? undefined : { sql: RECALL_REQUESTED },
      when(queryId("Transaction", query.transactionId), "t.transaction_id = ?::uuid"),
      when(id, "t.id = ?::uuid"),
      ...createdConditions(query.from, query.to),
      ...(minAgeSeconds === undefined
        ? []
        : createdConditions(undefined, await agoOf(services, principal.platformId, minAgeSeconds))),
    ];
    return answerList(services, {
      operationId: "listRailPayments",
      principal,
      query,
      load: (page) => list(services.reads, { ...page, conditions }),
      idOf: (payment) => payment.id,
      toJson: railPaymentJson,
    });
  },
});

async function agoOf(services: Services, platformId: string, seconds: number): Promise<string> {
  const now = await platformTime(services, platformId);
  return new Date(Math.max(0, now - seconds * 1_000)).toISOString();
}
