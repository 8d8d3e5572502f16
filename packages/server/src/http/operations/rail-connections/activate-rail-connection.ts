import Type from "typebox";
import {
  activateRailConnection as command,
  type Described,
} from "../../../domain/rail-connections/activate-rail-connection.ts";
import { missingIn } from "../../../domain/rail-connections/connection-settings.ts";
import type { FoundConnection } from "../../../domain/rail-connections/rail-connection.sql.ts";
import { pathId } from "../../../wire/id-fields.ts";
import {
  connectionJson,
  RailConnectionSchema,
  railConnectionExample,
} from "../../../wire/rails/rail-connection.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitFound } from "../../request/submit-found.ts";
import { requireConnection } from "./connection-body.ts";

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
    "currencies count. While something is missing, `details.missing` names every field.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The connection, `ACTIVE`.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, services: Services) =>
    submitFound(services.engine, principal, {
      command,
      find: async () => {
        const found = await requireConnection(services, principal, params.connectionId);
        return { connectionId: found.connection.id, described: await describe(found, services) };
      },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});

/** A connector is asked once everything else is there. */
async function describe(
  found: FoundConnection,
  { connectors }: Services,
): Promise<Described | undefined> {
  const { connection } = found;
  const others = missingIn(connection).filter((field) => field !== "capabilities");
  const isAsked =
    connection.kind === "HTTP" && connection.status === "SETUP" && others.length === 0;
  return isAsked ? connectors.describe(found) : undefined;
}
