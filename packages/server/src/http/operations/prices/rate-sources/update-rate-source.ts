import Type from "typebox";
import {
  updateRateSource as command,
  type UpdateRateSourceInput,
} from "../../../../domain/prices/rate-sources/update-rate-source.ts";
import { invalidFields } from "../../../../engine/refusal.ts";
import { withoutUndefined } from "../../../../std/json.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
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
import { findRequiredSource, judgeSource, sealHeaders } from "./source-body.ts";

export const updateRateSource = defineOperation({
  id: "updateRateSource",
  method: "PATCH",
  path: "/rates/sources/{sourceId}",
  access: "MANAGE",
  capability: "settings.write",
  tag: "Rates",
  summary: "Update a rate source",
  description:
    "Absent members stay; `headers` replaces all of them, and an empty object takes them away. Where `settings.url` moves to another " +
    "scheme, host or port, `headers` are needed again: a secret of one server is never sent to another. The document is read again at " +
    "once. Quotes that were made keep their price.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  body: Type.Object({
    name: Type.Optional(sourceMembers.name),
    priority: Type.Optional(sourceMembers.priority),
    pivots: Type.Optional(sourceMembers.pivots),
    maxAgeMinutes: Type.Optional(sourceMembers.maxAgeMinutes),
    lockMinutes: Type.Optional(sourceMembers.lockMinutes),
    maxMovePercent: Type.Optional(sourceMembers.maxMovePercent),
    settings: Type.Optional(sourceSettings),
    headers: Type.Optional(headersField),
  }),
  requestExample: { maxMovePercent: 5 },
  answers: {
    200: {
      description: "The source as it is now.",
      schema: RateSourceSchema,
      example: { ...rateSourceExample, maxMovePercent: 5 },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeSource,
  async handle({ principal, params, body }, services: Services) {
    const { settings, headers, ...members } = body;
    const { name, priority, pivots, maxAgeMinutes, lockMinutes, maxMovePercent } = members;
    const change: UpdateRateSourceInput["change"] = withoutUndefined({
      name,
      priority,
      pivots,
      maxAgeMinutes,
      lockMinutes,
      maxMovePercent,
    }) as UpdateRateSourceInput["change"];
    const isEmpty = Object.keys(change).length === 0;
    if (isEmpty && settings === undefined && headers === undefined) {
      throw invalidFields([{ field: "body", message: "must hold a member of the source" }]);
    }
    const { id: sourceId, sealId } = await findRequiredSource(services, principal, params.sourceId);
    const { platformId } = principal;
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        sourceId,
        change,
        settings: settings ?? {},
        headers:
          headers === undefined
            ? undefined
            : sealHeaders(services.sealer, { platformId, sealId }, headers),
      },
      toAnswer: (source) => ({ status: 200, body: sourceJson(source) }),
    });
  },
});
