import Type from "typebox";
import { orderDirections } from "../../../domain/rails/connections/rail-connection.ts";
import {
  type Mark,
  type MarkOutcome,
  MOST_MARKS,
  markRailPayments as markRailPaymentsCommand,
} from "../../../domain/rails/orders/mark-rail-payments.ts";
import {
  findRailPayment,
  listRailPayments as loadRailPayments,
  RECALL_REQUESTED,
} from "../../../domain/rails/orders/rail-payment.sql.ts";
import { idOfEndToEndId, railPaymentStates } from "../../../domain/rails/orders/rail-payment.ts";
import { partiesOfOrders } from "../../../domain/reading/parties/rail-parties.sql.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { BEFORE_ALL_IDS } from "../../../std/ids.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { stateFacet } from "../../../tables/facets.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId, requireIdField } from "../../../wire/ids.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import {
  markMembers,
  RailPaymentSchema,
  railPaymentExample,
  railPaymentJson,
} from "../../../wire/rails/rail-payment.ts";
import { expandParameter } from "../../request/expand.ts";
import { createdConditions, when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineNoun, getOne, listFacts } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { TEXT_FILTER, textParameter, whenFoundBy } from "../../search/found-conditions.ts";
import { seekerOf } from "../../search/seeker.ts";
import { reportEvents } from "../event-lists.ts";

interface MarkBody {
  readonly outcome: MarkOutcome;
  readonly reference?: string;
  readonly valueDate?: string;
  readonly reason?: { readonly code: string; readonly text?: string };
  readonly note?: string;
}

export function markOf(paymentId: string, { reason, ...mark }: MarkBody): Mark {
  const { outcome, reference, valueDate, note } = mark;
  const { code, text } = reason ?? {};
  return { paymentId, outcome, reference, valueDate, code, text, note };
}

const orders = defineNoun({
  path: "/rails/payments",
  tag: "Rails",
  capability: "rails.read",
  schema: RailPaymentSchema,
  example: railPaymentExample,
  json: railPaymentJson,
  partiesOf: partiesOfOrders,
});

const listRailPayments = defineOperation({
  ...listFacts(orders),
  id: "listRailPayments",
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
    order: Type.Optional(
      Type.Enum(["OLDEST"], { description: "The oldest first, as a queue is worked off." }),
    ),
    q: textParameter(`${TEXT_FILTER} The orders of the transactions that it finds as well.`),
    ...expandParameter,
    ...pageParameters,
  }),
  async handle({ principal, query }, services: Services) {
    const { endToEndId, minAgeSeconds } = query;
    const order = query.order === undefined ? undefined : "asc";
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
      await whenFoundBy(seekerOf(services.reads, principal), {
        text: query.q,
        kind: "RailPayment",
        by: "Transaction",
        column: "t.transaction_id",
      }),
      ...createdConditions(query.from, query.to),
      ...(minAgeSeconds === undefined
        ? []
        : createdConditions(undefined, await agoOf(services, principal.platformId, minAgeSeconds))),
    ];
    return answerList(services, {
      operationId: "listRailPayments",
      principal,
      query,
      load: (page) => loadRailPayments(services.reads, { ...page, conditions, order }),
      idOf: (payment) => payment.id,
      toJson: railPaymentJson,
      partiesOf: partiesOfOrders,
    });
  },
});

async function agoOf(services: Services, platformId: string, seconds: number): Promise<string> {
  const now = await platformTime(services, platformId);
  return new Date(Math.max(0, now - seconds * 1_000)).toISOString();
}

const getRailPayment = getOne({
  ...orders,
  id: "getRailPayment",
  summary: "Get a rail payment",
  param: "paymentId",
  kind: "RailPayment",
  answer: "The order.",
  find: findRailPayment,
});

const markRailPayment = defineOperation({
  id: "markRailPayment",
  ...route("POST /rails/payments/{paymentId}/mark", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rails",
  summary: "Mark a rail payment",
  description:
    "Of a `MANUAL` connection this is how an order is worked off. Of any other it adds what no report has said. A mark that contradicts " +
    "what was recorded is refused; of a payment in conflict, the mark of its own state says that the state stands.",
  params: Type.Object({ paymentId: pathId("RailPayment") }),
  body: Type.Object(markMembers),
  requestExample: { outcome: "SETTLED", reference: "BANK-20261121-0042" },
  answers: {
    200: {
      description: "The order after the mark.",
      schema: RailPaymentSchema,
      example: { ...railPaymentExample, state: "SETTLED", settledOn: "2026-11-21" },
    },
    202: waitingAnswer,
  },
  events: reportEvents,
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine }: Services) {
    const id = requireId("RailPayment", params.paymentId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command: markRailPaymentsCommand,
      input: { marks: [markOf(id, body)], fieldOf: (_index, name) => name },
      toAnswer: (asked) =>
        askedAnswer(asked, {
          status: 200,
          bodyOf: ([payment]) => railPaymentJson(present(payment, "a marked payment")),
        }),
      idempotency,
    });
  },
});

const paymentIdField = Type.String({ description: "`RailPayment:<uuid>`" });

const markRailPayments = defineOperation({
  id: "markRailPayments",
  ...route("POST /rails/marks", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rails",
  summary: "Mark rail payments",
  description: "All or none: the first mark that is refused refuses all of them.",
  body: Type.Object({
    marks: Type.Array(Type.Object({ paymentId: paymentIdField, ...markMembers }), {
      minItems: 1,
      maxItems: MOST_MARKS,
    }),
  }),
  requestExample: { marks: [{ paymentId: railPaymentExample.id, outcome: "SETTLED" }] },
  answers: {
    200: {
      description: "The orders after the marks, in their order.",
      schema: Type.Object({ data: Type.Array(RailPaymentSchema) }),
      example: { data: [{ ...railPaymentExample, state: "SETTLED", settledOn: "2026-11-21" }] },
    },
    202: waitingAnswer,
  },
  events: reportEvents,
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeMarks,
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: markRailPaymentsCommand,
      input: {
        marks: body.marks.map((mark, index) => markOf(paymentIn(mark.paymentId, index), mark)),
        fieldOf,
      },
      toAnswer: (asked) =>
        askedAnswer(asked, {
          status: 200,
          bodyOf: (payments) => `{"data":[${payments.map(railPaymentJson).join(",")}]}`,
        }),
      idempotency,
    }),
});

function fieldOf(index: number, name: string): string {
  return `marks[${index}].${name}`;
}

function paymentIn(raw: string, index: number): string {
  const field = fieldOf(index, "paymentId");
  return requireIdField("RailPayment", { field, raw }, "REFERENCE_NOT_FOUND");
}

/** Refuses two marks of one payment, because the result would depend on their order. */
function judgeMarks({ marks }: JsonObject): Judgement<undefined> {
  const seen = new Set<unknown>();
  const errors: FieldError[] = [];
  for (const [index, mark] of (Array.isArray(marks) ? marks : []).entries()) {
    const id = isJsonObject(mark) ? mark.paymentId : undefined;
    if (typeof id !== "string") continue;
    if (seen.has(id)) {
      errors.push({ field: `marks[${index}].paymentId`, message: "is marked twice" });
    }
    seen.add(id);
  }
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

export const orderOperations = [
  listRailPayments,
  getRailPayment,
  markRailPayment,
  markRailPayments,
];
