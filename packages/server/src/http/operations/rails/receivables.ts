import Type from "typebox";
import { collectReceivable as collectReceivableCommand } from "../../../domain/rails/returns/collect-receivable.ts";
import {
  findReceivable,
  listReceivables as loadReceivables,
  receivableStates,
} from "../../../domain/rails/returns/rail-receivable.ts";
import { writeReceivableOff as writeReceivableOffCommand } from "../../../domain/rails/returns/write-receivable-off.ts";
import { stateFacet } from "../../../tables/facets.ts";
import { filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import { wireRailReceivable } from "../../../wire/rails/rail-receivable.ts";
import { ofEach } from "../../request/expand.ts";
import { defineNoun, getOne, listAll } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byFacet, byId } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const receivables = defineNoun({
  path: "/rails/receivables",
  tag: "Rail receivables",
  capability: "rails.read",
  ...wireRailReceivable,
  partiesOf: ofEach(({ accountId }) => ({ from: { kind: "INTERNAL_ACCOUNT", id: accountId } })),
});

const listReceivables = listAll({
  ...receivables,
  id: "listReceivables",
  summary: "List receivables",
  description:
    "What holders owe because a collected payment was taken back after its money was spent. No account goes below zero for it.",
  filters: {
    state: byFacet(stateFacet, receivableStates),
    internalAccountId: byId("InternalAccount", "t.account_id"),
    customerId: byId("Customer", "t.customer_id"),
  },
  list: loadReceivables,
});

const getReceivable = getOne({
  ...receivables,
  id: "getReceivable",
  summary: "Get a receivable",
  param: "receivableId",
  kind: "RailReceivable",
  answer: "The receivable.",
  find: findReceivable,
});

const { amount, collected: nothing } = wireRailReceivable.example;

const collectReceivable = defineOperation({
  id: "collectReceivable",
  ...route("POST /rails/receivables/{receivableId}/collect", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rail receivables",
  summary: "Collect a receivable",
  description:
    "Takes from the account what is there, up to what is open. An account without money is 409; call again when some has come in.",
  params: Type.Object({ receivableId: pathId("RailReceivable") }),
  answers: {
    200: {
      description: "The receivable after it.",
      schema: wireRailReceivable.schema,
      example: {
        ...wireRailReceivable.example,
        open: nothing,
        collected: amount,
        state: "COLLECTED",
      },
    },
    202: waitingAnswer,
  },
  events: ["INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: collectReceivableCommand,
      input: {
        receivableId: requireId("RailReceivable", params.receivableId, "REFERENCE_NOT_FOUND"),
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 200, bodyOf: wireRailReceivable.json }),
      idempotency,
    }),
});

const writeReceivableOff = defineOperation({
  id: "writeReceivableOff",
  ...route("POST /rails/receivables/{receivableId}/write-off", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rail receivables",
  summary: "Write a receivable off",
  description:
    "Pays what is open from the platform's own funds at the connection. It is not undone.",
  params: Type.Object({ receivableId: pathId("RailReceivable") }),
  body: Type.Object({ note: filledText(500) }),
  requestExample: { note: "The customer cannot be reached." },
  answers: {
    200: {
      description: "The receivable after it.",
      schema: wireRailReceivable.schema,
      example: {
        ...wireRailReceivable.example,
        open: nothing,
        writtenOff: amount,
        state: "WRITTEN_OFF",
        note: "The customer cannot be reached.",
        decidedBy: "token 019a4f00-0000-7000-8000-000000000007",
      },
    },
    202: waitingAnswer,
  },
  refusals: ["INVALID_INPUT", "AMOUNT_OUT_OF_RANGE", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: writeReceivableOffCommand,
      input: {
        receivableId: requireId("RailReceivable", params.receivableId, "REFERENCE_NOT_FOUND"),
        note: body.note,
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 200, bodyOf: wireRailReceivable.json }),
      idempotency,
    }),
});

export const receivableOperations = [
  listReceivables,
  getReceivable,
  collectReceivable,
  writeReceivableOff,
];
