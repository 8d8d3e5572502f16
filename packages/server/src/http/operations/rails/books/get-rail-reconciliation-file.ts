import Type from "typebox";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  reconciliationFile,
  reconciliationFileExample,
} from "../../../../wire/rails/reconciliation.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { readReconciliation, reconciliationQuery } from "./read-reconciliation.ts";

export const getRailReconciliationFile = defineOperation({
  id: "getRailReconciliationFile",
  method: "GET",
  path: "/rails/connections/{connectionId}/reconciliation.csv",
  access: "VIEW",
  capability: "rails.read",
  opensPersonalData: true,
  tag: "Rails",
  summary: "Download a reconciliation",
  description: "The same figures as CSV, a line each, in the smallest unit of the currency.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  query: reconciliationQuery,
  answers: {
    200: {
      description: "The figures.",
      contentType: "text/csv",
      example: reconciliationFileExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { connectionId } = params;
    const found = await readReconciliation(services, principal, { connectionId, ...query });
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: ["Content-Disposition", 'attachment; filename="reconciliation.csv"'],
      body: Buffer.from(reconciliationFile(found)),
    };
  },
});
