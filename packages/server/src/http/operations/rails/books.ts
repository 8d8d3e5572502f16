import Type from "typebox";
import { createRailBalance as createRailBalanceCommand } from "../../../domain/rails/books/create-rail-balance.ts";
import { coveredUpTo } from "../../../domain/rails/books/reconciliation.sql.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { currencyField } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import {
  firstStatementExample,
  RailStatementSchema,
  railStatementJson,
} from "../../../wire/rails/rail-statement.ts";
import {
  ReconciliationSchema,
  reconciliationExample,
  reconciliationFile,
  reconciliationFileExample,
  reconciliationJson,
} from "../../../wire/rails/reconciliation.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { requireConnectionId } from "./connection-body.ts";
import { readReconciliation, reconciliationQuery } from "./read-reconciliation.ts";

const LARGEST = Number(MAX_AMOUNT_MINOR);

const createRailBalance = defineOperation({
  id: "createRailBalance",
  method: "POST",
  path: "/rails/connections/{connectionId}/balances",
  access: "TRANSACT",
  capability: "reconciliation.write",
  needsProof: true,
  tag: "Rails",
  summary: "Record a balance",
  description:
    "Of a `MANUAL` connection: what the account at the bank has at the end of a day, typed in. The first balance also says what the account " +
    "had before its first entry (`opening`), which is booked as the platform's own funds; a balance of an earlier day corrects that. A later balance that the " +
    "entries do not explain leaves `unexplained`. A connector is asked for its balances when its feed is read.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    currency: currencyField(),
    asOf: Type.String({ format: "date" }),
    booked: Type.Integer({
      minimum: -LARGEST,
      maximum: LARGEST,
      description: "Whole number of the smallest unit; negative when the account is overdrawn.",
    }),
  }),
  requestExample: { currency: "USD", asOf: "2026-11-21", booked: 1000000 },
  answers: {
    201: {
      description: "The statement.",
      schema: RailStatementSchema,
      example: firstStatementExample,
    },
    202: waitingAnswer,
  },
  events: ["RAIL_RECONCILIATION.DIFFERENCE"],
  refusals: ["INVALID_INPUT", "AMOUNT_OUT_OF_RANGE", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const connectionId = requireConnectionId(params.connectionId);
    const { currency, asOf: day } = body;
    const { platformId } = principal;
    const covered = await coveredUpTo(reads, platformId, { connectionId, currency }, day);
    return submitForCaller(engine, principal, {
      command: createRailBalanceCommand,
      input: { connectionId, currency, day, closingMinor: BigInt(body.booked), ...covered },
      toAnswer: (asked) => askedAnswer(asked, { status: 201, bodyOf: railStatementJson }),
      idempotency,
    });
  },
});

const getRailReconciliation = defineOperation({
  id: "getRailReconciliation",
  method: "GET",
  path: "/rails/connections/{connectionId}/reconciliation",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Reconcile a connection",
  description:
    "Compares the books, as they are now, with the last statement of a day or before. `unexplained` is 0 whenever every line of the account was " +
    "told: an order that settled and is not on the statement, and an entry that the statement does not cover, explain a difference.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  query: reconciliationQuery,
  answers: {
    200: {
      description: "The figures, all of one moment.",
      schema: ReconciliationSchema,
      example: reconciliationExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { connectionId } = params;
    const found = await readReconciliation(services, principal, { connectionId, ...query });
    return { status: 200, body: reconciliationJson(found) };
  },
});

const getRailReconciliationFile = defineOperation({
  id: "getRailReconciliationFile",
  method: "GET",
  path: "/rails/connections/{connectionId}/reconciliation.csv",
  access: "VIEW",
  capability: "rails.read",
  opensPersonalData: true,
  tag: "Rails",
  summary: "Download a reconciliation",
  description: "The same figures as CSV, a line each, in the smallest unit of the currency.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  query: reconciliationQuery,
  answers: {
    200: {
      description: "The figures.",
      contentType: "text/csv",
      example: reconciliationFileExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { connectionId } = params;
    const found = await readReconciliation(services, principal, { connectionId, ...query });
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: ["Content-Disposition", 'attachment; filename="reconciliation.csv"'],
      body: Buffer.from(reconciliationFile(found)),
    };
  },
});

export const bookOperations = [createRailBalance, getRailReconciliation, getRailReconciliationFile];
