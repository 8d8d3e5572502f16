import Type from "typebox";
import { collectReceivable as command } from "../../../../domain/rails/returns/collect-receivable.ts";
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

export const collectReceivable = defineOperation({
  id: "collectReceivable",
  method: "POST",
  path: "/rails/receivables/{receivableId}/collect",
  access: "TRANSACT",
  capability: "reconciliation.write",
  needsProof: true,
  tag: "Rails",
  summary: "Collect a receivable",
  description:
    "Takes from the account what is there, up to what is open. An account without money is 409; call again when some has come in.",
  params: Type.Object({ receivableId: pathId("RailReceivable") }),
  answers: {
    200: {
      description: "The receivable after it.",
      schema: RailReceivableSchema,
      example: { ...receivableExample, open: nothing, collected: amount, state: "COLLECTED" },
    },
    202: waitingAnswer,
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        receivableId: requireId("RailReceivable", params.receivableId, "REFERENCE_NOT_FOUND"),
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 200, bodyOf: receivableJson }),
      idempotency,
    }),
});
