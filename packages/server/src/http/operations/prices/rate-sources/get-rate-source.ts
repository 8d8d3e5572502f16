import Type from "typebox";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  RateSourceSchema,
  rateSourceExample,
  sourceJson,
} from "../../../../wire/prices/rate-source.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { findRequiredSource } from "./source-body.ts";

export const getRateSource = defineOperation({
  id: "getRateSource",
  method: "GET",
  path: "/rates/sources/{sourceId}",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "Get a rate source",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  answers: {
    200: {
      description: "The source with the rates that are in use.",
      schema: RateSourceSchema,
      example: rateSourceExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const source = await findRequiredSource(services, principal, params.sourceId);
    return { status: 200, body: sourceJson(source) };
  },
});
