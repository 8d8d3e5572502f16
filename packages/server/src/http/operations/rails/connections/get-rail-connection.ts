import Type from "typebox";
import { connectionHealth } from "../../../../domain/rails/connections/rail-connection.sql.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import {
  connectionJson,
  RailConnectionSchema,
  railConnectionExample,
} from "../../../../wire/rails/rail-connection.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { requireConnection } from "./connection-body.ts";

export const getRailConnection = defineOperation({
  id: "getRailConnection",
  method: "GET",
  path: "/rails/connections/{connectionId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get a rail connection",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The connection, with how it stands.",
      schema: RailConnectionSchema,
      example: railConnectionExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const { connection } = await requireConnection(services, principal, params.connectionId);
    const { platformId } = principal;
    const health = await connectionHealth(services.reads, platformId, [connection.id]);
    return { status: 200, body: connectionJson(connection, health.get(connection.id)) };
  },
});
