import Type from "typebox";
import {
  adjustFxPositions as command,
  MOST_LEGS,
} from "../../../../domain/rails/marks/adjust-fx-positions.ts";
import type { FieldError } from "../../../../engine/refusal.ts";
import { MAX_AMOUNT_MINOR } from "../../../../money/money.ts";
import { isJsonObject } from "../../../../std/json.ts";
import { currencyField, filledText } from "../../../../wire/fields.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import { railMarkJson, waitingAnswer } from "../../../../wire/rails/rail-mark.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

const LARGEST = Number(MAX_AMOUNT_MINOR);

export const adjustFxPositions = defineOperation({
  id: "adjustFxPositions",
  method: "POST",
  path: "/fx/adjustments",
  access: "TRANSACT",
  capability: "adjustments.create",
  needsProof: true,
  tag: "Rates",
  summary: "Adjust positions",
  description:
    "Books exchanges that no entry tells of, such as those that a treasury made elsewhere: each leg moves the position of its currency, against the " +
    "platform's own funds at the connection. It always waits for another token (`POST /rails/marks/{markId}/confirm`). An exchange that the " +
    "bank of a connection tells of is an `FX` part of its items.",
  body: Type.Object({
    connectionId: Type.String({ description: "`RailConnection:<uuid>`" }),
    legs: Type.Array(
      Type.Object({
        currency: currencyField(),
        amount: Type.Integer({
          minimum: -LARGEST,
          maximum: LARGEST,
          description: "What the position gains, in the smallest unit; negative for what it loses.",
        }),
      }),
      { minItems: 1, maxItems: MOST_LEGS },
    ),
    note: filledText(500),
  }),
  requestExample: {
    connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
    legs: [
      { currency: "EUR", amount: -100000 },
      { currency: "USD", amount: 108500 },
    ],
    note: "Sold at the treasury desk, ticket 4711",
  },
  answers: { 202: waitingAnswer },
  refusals: ["INVALID_INPUT", "AMOUNT_OUT_OF_RANGE", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge({ legs }) {
    const errors: FieldError[] = (Array.isArray(legs) ? legs : []).flatMap((leg, index) =>
      isJsonObject(leg) && leg.amount === 0
        ? [{ field: `legs[${index}].amount`, message: "must not be 0" }]
        : [],
    );
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        connectionId: requireIdField(
          "RailConnection",
          { field: "connectionId", raw: body.connectionId },
          "REFERENCE_NOT_FOUND",
        ),
        legs: body.legs.map(({ currency, amount }) => ({ currency, minor: BigInt(amount) })),
        note: body.note,
      },
      toAnswer: (mark) => ({ status: 202, body: railMarkJson(mark) }),
      idempotency,
    }),
});
