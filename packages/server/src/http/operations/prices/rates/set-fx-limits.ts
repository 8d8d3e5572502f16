import { setLimitsOrder } from "../../../../domain/people/approvals/held-control.ts";
import { isCurrencyCode } from "../../../../money/currency.ts";
import { isJsonObject, type Json } from "../../../../std/json.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  LimitsSchema,
  limitsBody,
  limitsExample,
  limitsJson,
} from "../../../../wire/prices/fx-position.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { limitsInput } from "./held-rules.ts";

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
    "when it is executed (409 FX_LIMIT); one that brings it back is not. " +
    "In production a wider limit waits for another owner where the workspace has two.",
  body: limitsBody,
  requestExample: { limits: limitsExample.limits },
  answers: {
    200: { description: "The limits.", schema: LimitsSchema, example: limitsExample },
    202: waitingForPeople,
  },
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
  handle: async ({ principal, body }, services: Services) =>
    submitHeld(services, principal, {
      order: setLimitsOrder,
      content: body,
      input: limitsInput(body),
      toAnswer: ({ after }) => ({ status: 200, body: limitsJson(after) }),
      idempotency: undefined,
    }),
});
