import Type from "typebox";
import { refuseRailMark as command } from "../../../../domain/rails/marks/decide-rail-mark.ts";
import { filledText } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  decidedMembers,
  RailMarkSchema,
  railMarkExample,
  railMarkJson,
} from "../../../../wire/rails/rail-mark.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const refuseRailMark = defineOperation({
  id: "refuseRailMark",
  method: "POST",
  path: "/rails/marks/{markId}/refuse",
  access: "TRANSACT",
  capability: "payments.approve",
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
      schema: RailMarkSchema,
      example: {
        ...railMarkExample,
        state: "REFUSED",
        ...decidedMembers,
        note: "The bank has another amount.",
      },
    },
  },
  refusals: ["FORBIDDEN", "INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        markId: requireId("RailMark", params.markId, "REFERENCE_NOT_FOUND"),
        note: body.note,
      },
      toAnswer: (mark) => ({ status: 200, body: railMarkJson(mark) }),
      idempotency,
    }),
});
