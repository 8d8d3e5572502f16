import Type from "typebox";
import type { BalanceRequest } from "../../../domain/rails/books/create-rail-balance.ts";
import { coveredUpTo } from "../../../domain/rails/books/reconciliation.sql.ts";
import {
  confirmRailMark as confirmRailMarkCommand,
  refuseRailMark as refuseRailMarkCommand,
} from "../../../domain/rails/marks/decide-rail-mark.ts";
import {
  findRailMark,
  listRailMarks as loadRailMarks,
  markStates,
} from "../../../domain/rails/marks/rail-mark.ts";
import type { Reads } from "../../../postgres/database.ts";
import { stateFacet } from "../../../tables/facets.ts";
import { filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { decidedMembers, wireRailMark } from "../../../wire/rails/rail-mark.ts";
import { defineNoun, getOne, listAll } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byFacet, byId } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { reportEvents } from "../event-lists.ts";

const marks = defineNoun({
  path: "/rails/marks",
  tag: "Rails",
  capability: "rails.read",
  ...wireRailMark,
});

const listRailMarks = listAll({
  ...marks,
  id: "listRailMarks",
  summary: "List marks that wait",
  description:
    "Acts at connections that one token asked for and another one confirms or refuses: those of connections with " +
    "`approval: FOUR_EYES`, and payouts above a ceiling.",
  filters: {
    connectionId: byId("RailConnection", "t.connection_id"),
    state: byFacet(stateFacet, markStates),
  },
  list: loadRailMarks,
});

const getRailMark = getOne({
  ...marks,
  id: "getRailMark",
  summary: "Get a mark that waits",
  param: "markId",
  kind: "RailMark",
  answer: "The mark.",
  find: findRailMark,
});

const confirmRailMark = defineOperation({
  id: "confirmRailMark",
  ...route("POST /rails/marks/{markId}/confirm", "TRANSACT", "payments.approve"),
  tag: "Rails",
  summary: "Confirm a mark",
  description:
    "Does what another token asked for, as the caller. It is judged again: when it is refused now, the mark goes on waiting. The token that asked is " +
    "answered 403 with `details.rule: FOUR_EYES`.",
  params: Type.Object({ markId: pathId("RailMark") }),
  answers: {
    200: {
      description: "The mark after it.",
      schema: wireRailMark.schema,
      example: { ...wireRailMark.example, state: "CONFIRMED", ...decidedMembers },
    },
  },
  events: reportEvents,
  refusals: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "AMOUNT_OUT_OF_RANGE",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "DUPLICATE_ENTRY",
  ],
  async handle({ principal, params, idempotency }, { engine, reads }: Services) {
    const markId = requireId("RailMark", params.markId, "REFERENCE_NOT_FOUND");
    const covered = await coveredBy(reads, principal.platformId, markId);
    return submitForCaller(engine, principal, {
      command: confirmRailMarkCommand,
      input: { markId, covered },
      toAnswer: (mark) => ({ status: 200, body: wireRailMark.json(mark) }),
      idempotency,
    });
  },
});

/** The total of the entries that a BALANCE mark covers; undefined for any other mark. */
async function coveredBy(reads: Reads, platformId: string, markId: string) {
  const mark = await findRailMark(reads, platformId, markId);
  if (mark?.kind !== "BALANCE") return undefined;
  const { connectionId, currency, day } = mark.request as BalanceRequest;
  return coveredUpTo(reads, platformId, { connectionId, currency }, day);
}

const refuseRailMark = defineOperation({
  id: "refuseRailMark",
  ...route("POST /rails/marks/{markId}/refuse", "TRANSACT", "payments.approve"),
  tag: "Rails",
  summary: "Refuse a mark",
  description:
    "Nothing is done; an order that is `HELD` is cancelled, and its money is back. Another token than the one that asked refuses.",
  params: Type.Object({ markId: pathId("RailMark") }),
  body: Type.Object({ note: filledText(500) }),
  requestExample: { note: "The bank has another amount." },
  answers: {
    200: {
      description: "The mark after it.",
      schema: wireRailMark.schema,
      example: {
        ...wireRailMark.example,
        state: "REFUSED",
        ...decidedMembers,
        note: "The bank has another amount.",
      },
    },
  },
  events: [
    "OUTGOING_PAYMENT.FAILED",
    "OUTGOING_PAYMENT.REFUND_PENDING",
    "OUTGOING_PAYMENT.REFUND_COMPLETED",
    "INCOMING_PAYMENT.REFUND_FAILED",
    "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  ],
  refusals: ["FORBIDDEN", "INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: refuseRailMarkCommand,
      input: {
        markId: requireId("RailMark", params.markId, "REFERENCE_NOT_FOUND"),
        note: body.note,
      },
      toAnswer: (mark) => ({ status: 200, body: wireRailMark.json(mark) }),
      idempotency,
    }),
});

export const markOperations = [listRailMarks, getRailMark, confirmRailMark, refuseRailMark];
