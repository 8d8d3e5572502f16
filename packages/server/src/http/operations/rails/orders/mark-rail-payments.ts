import Type from "typebox";
import {
  markRailPayments as command,
  MOST_MARKS,
} from "../../../../domain/rails/orders/mark-rail-payments.ts";
import type { FieldError } from "../../../../engine/refusal.ts";
import { isJsonObject, type JsonObject } from "../../../../std/json.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import { askedAnswer, waitingAnswer } from "../../../../wire/rails/rail-mark.ts";
import {
  markMembers,
  RailPaymentSchema,
  railPaymentExample,
  railPaymentJson,
} from "../../../../wire/rails/rail-payment.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { markOf } from "./mark-body.ts";

const paymentIdField = Type.String({ description: "`RailPayment:<uuid>`" });

export const markRailPayments = defineOperation({
  id: "markRailPayments",
  method: "POST",
  path: "/rails/marks",
  access: "TRANSACT",
  capability: "reconciliation.write",
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
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeMarks,
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
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

/** Two marks of one payment would depend on their order. */
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
