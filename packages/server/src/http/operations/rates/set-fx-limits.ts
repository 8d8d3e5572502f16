import { setFxLimits as command } from "../../../domain/fx-positions/set-fx-limits.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { isJsonObject, type Json } from "../../../std/json.ts";
import {
  LimitsSchema,
  limitsBody,
  limitsExample,
  limitsJson,
} from "../../../wire/rates/fx-position.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const setFxLimits = defineOperation({
  id: "setFxLimits",
  method: "PUT",
  path: "/fx/limits",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Set the limits of positions",
  description:
    "Replaces all limits. `maxLong` is how much of a currency the platform may hold, `maxShort` how much it may owe. The quote that would take a position past its limit is refused " +
    "when it is executed (409 FX_LIMIT); one that brings it back is not.",
  body: limitsBody,
  requestExample: { limits: limitsExample.limits },
  answers: { 200: { description: "The limits.", schema: LimitsSchema, example: limitsExample } },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT"],
  judge({ limits }) {
    const errors = (Array.isArray(limits) ? limits : []).flatMap((limit: Json, index) => {
      const currency = isJsonObject(limit) ? limit.currency : undefined;
      return typeof currency !== "string" || isCurrencyCode(currency)
        ? []
        : [{ field: `limits.${index}.currency`, message: `is no currency: ${currency}` }];
    });
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  handle: async ({ principal, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        limits: body.limits.map(({ currency, maxLong, maxShort }) => ({
          currency,
          maxLong: minorOf(maxLong),
          maxShort: minorOf(maxShort),
        })),
      },
      toAnswer: (positions) => ({ status: 200, body: limitsJson(positions) }),
    }),
});

function minorOf(amount: number | null | undefined): bigint | null {
  return amount === null || amount === undefined ? null : BigInt(amount);
}
