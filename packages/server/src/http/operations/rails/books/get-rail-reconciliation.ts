import Type from "typebox";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  ReconciliationSchema,
  reconciliationExample,
  reconciliationJson,
} from "../../../../wire/rails/reconciliation.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { readReconciliation, reconciliationQuery } from "./read-reconciliation.ts";

export const getRailReconciliation = defineOperation({
  id: "getRailReconciliation",
  method: "GET",
  path: "/rails/connections/{connectionId}/reconciliation",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Reconcile a connection",
  description:
    "Compares the books, as they are now, with the last statement of a day or before. `unexplained` is 0 whenever every line of the account was " +
    "told: an order that settled and is not on the statement, and an entry that the statement does not cover, explain a difference.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  query: reconciliationQuery,
  answers: {
    200: {
      description: "The figures, all of one moment.",
      schema: ReconciliationSchema,
      example: reconciliationExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { connectionId } = params;
    const found = await readReconciliation(services, principal, { connectionId, ...query });
    return { status: 200, body: reconciliationJson(found) };
  },
});
