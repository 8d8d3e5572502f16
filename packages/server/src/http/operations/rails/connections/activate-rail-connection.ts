import Type from "typebox";
import {
  activateOrder,
  shownConnection,
} from "../../../../domain/people/approvals/held-control.ts";
import { toConnectionId } from "../../../../domain/rails/connections/rail-connection.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  connectionJson,
  RailConnectionSchema,
  railConnectionExample,
} from "../../../../wire/rails/rail-connection.ts";
import { submitHeldFound } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { requireConnection } from "./connection-body.ts";
import { activationInput } from "./held-connection.ts";

export const activateRailConnection = defineOperation({
  id: "activateRailConnection",
  method: "POST",
  path: "/rails/connections/{connectionId}/activate",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Activate a rail connection",
  description:
    "From `SETUP`. Of an `HTTP` connection the connector is asked what it carries; only capabilities in the connection's " +
    "currencies count. While something is missing, `details.missing` names every field. In production it waits for another owner where the workspace has two.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The connection, `ACTIVE`.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
    202: waitingForPeople,
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, services: Services) =>
    submitHeldFound(services, principal, {
      order: activateOrder,
      find: async () => {
        const found = await requireConnection(services, principal, params.connectionId);
        const connection = shownConnection(found.connection);
        const content = { connectionId: toConnectionId(found.connection.id), connection };
        return { content, input: await activationInput(services, { found }) };
      },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});
