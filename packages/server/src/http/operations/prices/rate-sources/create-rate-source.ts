import { randomBytes } from "node:crypto";
import Type from "typebox";
import { createRateSource as command } from "../../../../domain/prices/rate-sources/create-rate-source.ts";
import { sourceKinds } from "../../../../domain/prices/rate-sources/rate-source.ts";
import {
  MAX_AGE_MINUTES,
  SOURCE_DEFAULTS,
} from "../../../../domain/prices/rate-sources/source-settings.ts";
import {
  createSourceExample,
  headersField,
  RateSourceSchema,
  rateSourceExample,
  sourceJson,
  sourceMembers,
  sourceSettings,
} from "../../../../wire/prices/rate-source.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { judgeSource, sealHeaders } from "./source-body.ts";

export const createRateSource = defineOperation({
  id: "createRateSource",
  method: "POST",
  path: "/rates/sources",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Create a rate source",
  description:
    "Where the exchange rates of the platform come from. `FIXED`: a table that `PUT …/rates` sets. `ECB`: the daily reference rates of the " +
    "European Central Bank, read at 16:05, 16:20 and 17:00 in Frankfurt on TARGET days. `HTTP`: values of a JSON document, read every " +
    "`everySeconds`. At most 20.",
  body: Type.Object({
    name: sourceMembers.name,
    kind: Type.Enum([...sourceKinds]),
    priority: Type.Optional(sourceMembers.priority),
    pivots: Type.Optional(sourceMembers.pivots),
    maxAgeMinutes: Type.Optional(sourceMembers.maxAgeMinutes),
    lockMinutes: Type.Optional(sourceMembers.lockMinutes),
    maxMovePercent: Type.Optional(sourceMembers.maxMovePercent),
    settings: Type.Optional(sourceSettings),
    headers: Type.Optional(headersField),
  }),
  requestExample: createSourceExample,
  answers: {
    201: {
      description: "The source; it has no rates yet.",
      schema: RateSourceSchema,
      example: {
        ...rateSourceExample,
        rates: [],
        asOf: undefined,
        readAt: undefined,
      },
    },
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeSource,
  async handle({ principal, body, idempotency }, { engine, sealer }: Services) {
    const sealId = randomBytes(8).toString("hex");
    const { platformId } = principal;
    const { maxMovePercent = SOURCE_DEFAULTS.maxMovePercent } = body;
    return submitForCaller(engine, principal, {
      command,
      input: {
        name: body.name,
        kind: body.kind,
        priority: body.priority ?? SOURCE_DEFAULTS.priority,
        pivots: body.pivots ?? SOURCE_DEFAULTS.pivots,
        maxAgeMinutes: body.maxAgeMinutes ?? MAX_AGE_MINUTES[body.kind],
        lockMinutes: body.lockMinutes ?? SOURCE_DEFAULTS.lockMinutes,
        maxMovePercent,
        settings: body.settings ?? {},
        sealId,
        headers: sealHeaders(sealer, { platformId, sealId }, body.headers ?? {}),
      },
      toAnswer: (source) => ({ status: 201, body: sourceJson(source) }),
      idempotency,
    });
  },
});
