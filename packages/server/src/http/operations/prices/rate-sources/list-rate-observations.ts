import Type from "typebox";
import { listObservations } from "../../../../domain/prices/rate-sources/rate-source.sql.ts";
import { listOf } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  ObservationSchema,
  observationExample,
  observationJson,
} from "../../../../wire/prices/rate-source.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { findRequiredSource } from "./source-body.ts";

export const listRateObservations = defineOperation({
  id: "listRateObservations",
  method: "GET",
  path: "/rates/sources/{sourceId}/observations",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "List what a rate source said",
  description: "One for each time that it said something else than before.",
  params: Type.Object({ sourceId: pathId("RateSource") }),
  query: Type.Object({ ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(ObservationSchema),
      example: { data: [observationExample], hasMore: false, totalCount: 1 },
    },
  },
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
      toJson: observationJson,
    });
  },
});
