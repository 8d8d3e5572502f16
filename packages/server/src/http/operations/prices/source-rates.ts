import { createHash } from "node:crypto";
import Type from "typebox";
import type { ReadDocument } from "../../../domain/prices/rate-sources/rate-documents.port.ts";
import { listObservations } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { MOST_RATES } from "../../../domain/prices/rate-sources/rate-source.ts";
import {
  recordRateDocument,
  refuseWithoutDocument,
} from "../../../domain/prices/rate-sources/record-rate-document.ts";
import { setRates as setRatesCommand } from "../../../domain/prices/rate-sources/set-rates.ts";
import { invalidField, wrongState } from "../../../engine/refusal.ts";
import { MAX_ECB_BYTES, readEcbDocument } from "../../../formats/ecb-document.ts";
import { canonicalJson } from "../../../std/json.ts";
import { currencyField, DateTimeSchema } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import {
  RateSourceSchema,
  rateField,
  rateSourceExample,
  sourceJson,
  wireObservation,
} from "../../../wire/prices/rate-source.ts";
import { when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { pageOf } from "../../request/noun.ts";
import { defineOperation, defineUpload, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { rateEvents } from "../event-lists.ts";
import { findRequiredSource, pairCurrencyFaults, requireSourceId } from "./source-body.ts";

const setRates = defineOperation({
  id: "setRates",
  ...route("PUT /rates/sources/{sourceId}/rates", "MANAGE", "settings.write"),
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
  events: ["RATE_SOURCE.STALE"],
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge({ rates }) {
    const errors = pairCurrencyFaults("rates", rates);
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  handle: async ({ principal, params, body }, { engine }: Services) => {
    const { rates, asOf } = body;
    return submitForCaller(engine, principal, {
      command: setRatesCommand,
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

const refreshRateSource = defineOperation({
  id: "refreshRateSource",
  ...route("POST /rates/sources/{sourceId}/refresh", "MANAGE", "settings.write"),
  ignoresKey: true,
  tag: "Rates",
  summary: "Read a rate source now",
  description:
    "Reads the document of an `ECB` or `HTTP` source, beside its schedule. A document that could not be read is shown as `lastError`. Takes at most 20 seconds.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  answers: {
    200: {
      description: "The source after the reading.",
      schema: RateSourceSchema,
      example: { ...rateSourceExample, kind: "ECB", settings: { acknowledged: true } },
    },
  },
  events: rateEvents,
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const source = await findRequiredSource(services, principal, params.sourceId);
    refuseWithoutDocument(source);
    const read = await services.rateDocuments.fetch(principal.platformId, source);
    return submitForCaller(services.engine, principal, {
      command: recordRateDocument,
      input: { sourceId: source.id, jobId: undefined, origin: "FETCH", read },
      toAnswer: (recorded) => ({ status: 200, body: sourceJson(recorded.source) }),
    });
  },
});

const uploadRates = defineUpload({
  id: "uploadRates",
  ...route("POST /rates/sources/{sourceId}/upload", "MANAGE", "settings.write"),
  tag: "Rates",
  summary: "Upload the reference rates of a day",
  description:
    "For an `ECB` source of a server that cannot reach the bank: the daily XML document. One that is older than the last changes nothing.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  form: {
    fields: Type.Object({}),
    file: { description: "The document, in UTF-8.", maxBytes: MAX_ECB_BYTES },
  },
  answers: {
    200: {
      description: "The source with the rates of the document.",
      schema: RateSourceSchema,
      example: { ...rateSourceExample, kind: "ECB", settings: { acknowledged: true } },
    },
  },
  events: rateEvents,
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body: form }, services: Services) {
    const chunks: Buffer[] = [];
    const { idempotency } = await form.read({
      async write(bytes) {
        chunks.push(Buffer.from(bytes));
      },
    });
    const source = await findRequiredSource(services, principal, params.sourceId);
    if (source.kind !== "ECB") {
      throw wrongState({
        object: "source",
        status: source.kind,
        needed: "ECB",
        action: "uploaded to",
      });
    }
    return submitForCaller(services.engine, principal, {
      command: recordRateDocument,
      input: {
        sourceId: source.id,
        jobId: undefined,
        origin: "UPLOAD",
        read: readUpload(Buffer.concat(chunks)),
      },
      toAnswer: (recorded) => ({ status: 200, body: sourceJson(recorded.source) }),
      idempotency,
    });
  },
});

/** Refuses a document that cannot be read; nothing of it is stored. */
function readUpload(bytes: Buffer): ReadDocument {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const read = readEcbDocument(textOf(bytes), digest);
  if (read.kind === "failed") throw invalidField("file", read.message, { problem: read.code });
  return read;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidField("file", "must be in UTF-8", { problem: "ENCODING" });
  }
}

const listRateObservations = defineOperation({
  id: "listRateObservations",
  ...route("GET /rates/sources/{sourceId}/observations", "VIEW", "rates.read"),
  tag: "Rates",
  summary: "List what a rate source said",
  description: "One for each time that it said something else than before.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  query: Type.Object({ ...pageParameters }),
  answers: { 200: pageOf(wireObservation) },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { id } = await findRequiredSource(services, principal, params.sourceId);
    return answerList(services, {
      operationId: "listRateObservations",
      principal,
      query,
      load: (page) =>
        listObservations(services.reads, {
          ...page,
          conditions: [when(id, "t.source_id = ?::uuid")],
        }),
      idOf: (observation) => observation.id,
      toJson: wireObservation.json,
    });
  },
});

export const sourceRateOperations = [
  setRates,
  refreshRateSource,
  uploadRates,
  listRateObservations,
];
