import Type from "typebox";
import { confirmRailMark as command } from "../../../domain/rail-marks/decide-rail-mark.ts";

import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  decidedMembers,
  RailMarkSchema,
  railMarkExample,
  railMarkJson,
} from "../../../wire/rails/rail-mark.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const confirmRailMark = defineOperation({
  id: "confirmRailMark",
  method: "POST",
  path: "/rails/marks/{markId}/confirm",
  access: "TRANSACT",
  capability: "payments.approve",
  tag: "Rails",
  summary: "Confirm a mark",
  description:
    "Does what another token asked for, as the caller. It is judged again: when it is refused now, the mark goes on waiting. The token that asked is " +
    "answered 403 with `details.rule: FOUR_EYES`.",
  params: Type.Object({ markId: pathId("RailMark") }),
  answers: {
    200: {
      description: "The mark after it.",
      schema: RailMarkSchema,
      example: { ...railMarkExample, state: "CONFIRMED", ...decidedMembers },
    },
  },
  refusals: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "AMOUNT_OUT_OF_RANGE",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "DUPLICATE_ENTRY",
  ],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { markId: requireId("RailMark", params.markId, "REFERENCE_NOT_FOUND") },
      toAnswer: (mark) => ({ status: 200, body: railMarkJson(mark) }),
      idempotency,
    }),
});
