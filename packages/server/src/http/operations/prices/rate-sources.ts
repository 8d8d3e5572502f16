import { randomBytes } from "node:crypto";
import Type from "typebox";
import { createRateSource as createRateSourceCommand } from "../../../domain/prices/rate-sources/create-rate-source.ts";
import { deleteRateSource as deleteRateSourceCommand } from "../../../domain/prices/rate-sources/delete-rate-source.ts";
import { findSource, listSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { sourceKinds } from "../../../domain/prices/rate-sources/rate-source.ts";
import {
  MAX_AGE_MINUTES,
  SOURCE_DEFAULTS,
} from "../../../domain/prices/rate-sources/source-settings.ts";
import {
  type UpdateRateSourceInput,
  updateRateSource as updateRateSourceCommand,
} from "../../../domain/prices/rate-sources/update-rate-source.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { withoutUndefined } from "../../../std/json.ts";
import { pathId } from "../../../wire/id-fields.ts";
import {
  createSourceExample,
  headersField,
  RateSourceSchema,
  rateSourceExample,
  sourceJson,
  sourceMembers,
  sourceSettings,
} from "../../../wire/prices/rate-source.ts";
import { defineNoun, getOne, listAll } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byEnum } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { rateEvents } from "../event-lists.ts";
import { findRequiredSource, judgeSource, requireSourceId, sealHeaders } from "./source-body.ts";

const sources = defineNoun({
  path: "/rates/sources",
  tag: "Rates",
  capability: "rates.read",
  schema: RateSourceSchema,
  example: rateSourceExample,
  json: sourceJson,
});

const createRateSource = defineOperation({
  id: "createRateSource",
  ...route("POST /rates/sources", "MANAGE", "settings.write"),
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
  events: rateEvents,
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeSource,
  async handle({ principal, body, idempotency }, { engine, sealer }: Services) {
    const sealId = randomBytes(8).toString("hex");
    const { platformId } = principal;
    const { maxMovePercent = SOURCE_DEFAULTS.maxMovePercent } = body;
    return submitForCaller(engine, principal, {
      command: createRateSourceCommand,
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

const listRateSources = listAll({
  ...sources,
  id: "listRateSources",
  summary: "List rate sources",
  where: [{ sql: "t.deleted_at is null" }],
  filters: { kind: byEnum(sourceKinds, "t.kind = ?::text") },
  list: listSources,
});

const getRateSource = getOne({
  ...sources,
  id: "getRateSource",
  summary: "Get a rate source",
  param: "sourceId",
  kind: "RateSource",
  answer: "The source with the rates that are in use.",
  find: findSource,
});

const updateRateSource = defineOperation({
  id: "updateRateSource",
  ...route("PATCH /rates/sources/{sourceId}", "MANAGE", "settings.write"),
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
  events: rateEvents,
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
      command: updateRateSourceCommand,
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

const deleteRateSource = defineOperation({
  id: "deleteRateSource",
  ...route("DELETE /rates/sources/{sourceId}", "MANAGE", "settings.write"),
  tag: "Rates",
  summary: "Delete a rate source",
  description: "Its headers are destroyed. Quotes that were made at its rates keep their price.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: deleteRateSourceCommand,
      input: { sourceId: requireSourceId(params.sourceId) },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

export const rateSourceOperations = [
  createRateSource,
  listRateSources,
  getRateSource,
  updateRateSource,
  deleteRateSource,
];
