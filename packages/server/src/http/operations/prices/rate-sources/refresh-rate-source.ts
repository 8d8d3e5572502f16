import Type from "typebox";
import {
  recordRateDocument as command,
  refuseWithoutDocument,
} from "../../../../domain/prices/rate-sources/record-rate-document.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  RateSourceSchema,
  rateSourceExample,
  sourceJson,
} from "../../../../wire/prices/rate-source.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { findRequiredSource } from "./source-body.ts";

export const refreshRateSource = defineOperation({
  id: "refreshRateSource",
  method: "POST",
  path: "/rates/sources/{sourceId}/refresh",
  access: "MANAGE",
  capability: "settings.write",
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
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const source = await findRequiredSource(services, principal, params.sourceId);
    refuseWithoutDocument(source);
    const read = await services.rateDocuments.fetch(principal.platformId, source);
    return submitForCaller(services.engine, principal, {
      command,
      input: { sourceId: source.id, jobId: undefined, origin: "FETCH", read },
      toAnswer: (recorded) => ({ status: 200, body: sourceJson(recorded.source) }),
    });
  },
});
