import { createHash } from "node:crypto";
import Type from "typebox";
import { MOST_RATES } from "../../../../domain/prices/rate-sources/rate-source.ts";
import { setRates as command } from "../../../../domain/prices/rate-sources/set-rates.ts";
import { canonicalJson } from "../../../../std/json.ts";
import { currencyField, DateTimeSchema } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  RateSourceSchema,
  rateField,
  rateSourceExample,
  sourceJson,
} from "../../../../wire/prices/rate-source.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { pairCurrencyFaults, requireSourceId } from "./source-body.ts";

export const setRates = defineOperation({
  id: "setRates",
  method: "PUT",
  path: "/rates/sources/{sourceId}/rates",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Set the rates of a fixed source",
  description:
    "Replaces the table of a `FIXED` source in one commit. A rate that is further from the last one of its pair than `maxMovePercent` is refused, " +
    "and with it the whole table.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  body: Type.Object({
    rates: Type.Array(
      Type.Object({ base: currencyField(), quote: currencyField(), rate: rateField }),
      { maxItems: MOST_RATES },
    ),
    asOf: Type.Optional(DateTimeSchema),
  }),
  requestExample: { rates: [{ base: "EUR", quote: "USD", rate: "1.0850" }] },
  answers: {
    200: {
      description: "The source with these rates.",
      schema: RateSourceSchema,
      example: rateSourceExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge({ rates }) {
    const errors = pairCurrencyFaults("rates", rates);
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  handle: async ({ principal, params, body }, { engine }: Services) => {
    const { rates, asOf } = body;
    return submitForCaller(engine, principal, {
      command,
      input: {
        sourceId: requireSourceId(params.sourceId),
        rates: rates.map(({ base, quote, rate }) => ({ base, quote, rate })),
        asOf: asOf === undefined ? undefined : Date.parse(asOf),
        digest: createHash("sha256").update(canonicalJson(body), "utf8").digest("hex"),
      },
      toAnswer: (source) => ({ status: 200, body: sourceJson(source) }),
    });
  },
});
