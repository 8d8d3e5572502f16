import Type from "typebox";
import { createRailBalance as command } from "../../../../domain/rails/books/create-rail-balance.ts";
import { coveredUpTo } from "../../../../domain/rails/books/reconciliation.sql.ts";
import { MAX_AMOUNT_MINOR } from "../../../../money/money.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { askedAnswer, waitingAnswer } from "../../../../wire/rails/rail-mark.ts";
import {
  firstStatementExample,
  RailStatementSchema,
  railStatementJson,
} from "../../../../wire/rails/rail-statement.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { requireConnectionId } from "../connections/connection-body.ts";

const LARGEST = Number(MAX_AMOUNT_MINOR);

export const createRailBalance = defineOperation({
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
  refusals: ["INVALID_INPUT", "AMOUNT_OUT_OF_RANGE", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const connectionId = requireConnectionId(params.connectionId);
    const { currency, asOf: day } = body;
    const { platformId } = principal;
    const covered = await coveredUpTo(reads, platformId, { connectionId, currency }, day);
    return submitForCaller(engine, principal, {
      command,
      input: { connectionId, currency, day, closingMinor: BigInt(body.booked), ...covered },
      toAnswer: (asked) => askedAnswer(asked, { status: 201, bodyOf: railStatementJson }),
      idempotency,
    });
  },
});
