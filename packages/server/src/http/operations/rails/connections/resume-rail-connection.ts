import Type from "typebox";
import { resumeRailConnection as command } from "../../../../domain/rails/connections/resume-rail-connection.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  connectionJson,
  RailConnectionSchema,
  railConnectionExample,
} from "../../../../wire/rails/rail-connection.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { requireConnectionId } from "./connection-body.ts";

export const resumeRailConnection = defineOperation({
  id: "resumeRailConnection",
  method: "POST",
  path: "/rails/connections/{connectionId}/resume",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Resume a rail connection",
  description: "What was queued is sent.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The connection, `ACTIVE`.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { connectionId: requireConnectionId(params.connectionId) },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});
