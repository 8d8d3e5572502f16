import Type from "typebox";
import { writeReceivableOff as command } from "../../../../domain/rails/returns/write-receivable-off.ts";
import { filledText } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { askedAnswer, waitingAnswer } from "../../../../wire/rails/rail-mark.ts";
import {
  RailReceivableSchema,
  receivableExample,
  receivableJson,
} from "../../../../wire/rails/rail-receivable.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

const { amount, collected: nothing } = receivableExample;

export const writeReceivableOff = defineOperation({
  id: "writeReceivableOff",
  method: "POST",
  path: "/rails/receivables/{receivableId}/write-off",
  access: "TRANSACT",
  capability: "reconciliation.write",
  needsProof: true,
  tag: "Rails",
  summary: "Write a receivable off",
  description:
    "Pays what is open from the platform's own funds at the connection. It is not undone.",
  params: Type.Object({ receivableId: pathId("RailReceivable") }),
  body: Type.Object({ note: filledText(500) }),
  requestExample: { note: "The customer cannot be reached." },
  answers: {
    200: {
      description: "The receivable after it.",
      schema: RailReceivableSchema,
      example: {
        ...receivableExample,
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
      command,
      input: {
        receivableId: requireId("RailReceivable", params.receivableId, "REFERENCE_NOT_FOUND"),
        note: body.note,
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 200, bodyOf: receivableJson }),
      idempotency,
    }),
});
