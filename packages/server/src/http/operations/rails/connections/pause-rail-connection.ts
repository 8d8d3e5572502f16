import Type from "typebox";
import { pauseRailConnection as command } from "../../../../domain/rails/connections/pause-rail-connection.ts";
import { pauseModes } from "../../../../domain/rails/connections/rail-connection.ts";
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

export const pauseRailConnection = defineOperation({
  id: "pauseRailConnection",
  method: "POST",
  path: "/rails/connections/{connectionId}/pause",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Pause a rail connection",
  description:
    "Nothing is sent any more; what was sent is still asked about, and reports are taken. New payments are refused, or with " +
    "`QUEUE` accepted and sent after `resume`.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    newPayments: Type.Optional(Type.Enum([...pauseModes], { description: "REFUSE when absent." })),
  }),
  bodyOptional: true,
  requestExample: { newPayments: "QUEUE" },
  answers: {
    200: {
      description: "The connection, `PAUSED`.",
      schema: RailConnectionSchema,
      example: {
        ...railConnectionExample,
        status: "PAUSED",
        newPayments: "QUEUE",
        health: undefined,
      },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
        connectionId: requireConnectionId(params.connectionId),
        newPayments: body?.newPayments ?? "REFUSE",
      },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});
