import Type from "typebox";
import { archiveRailConnection as command } from "../../../domain/rail-connections/archive-rail-connection.ts";
import {
  blockersIn,
  connectionHealth,
} from "../../../domain/rail-connections/rail-connection.sql.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { requireConnection } from "./connection-body.ts";

export const archiveRailConnection = defineOperation({
  id: "archiveRailConnection",
  method: "DELETE",
  path: "/rails/connections/{connectionId}",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Archive a rail connection",
  description:
    "Its payments stay readable, its secrets are destroyed, its name is free again. Refused while it has a route, a payment that " +
    "is not over or one in conflict, an open item or a mark that waits; `details.blockers` counts them.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: { 204: { description: "Archived." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const { connection } = await requireConnection(services, principal, params.connectionId);
    const all = await connectionHealth(services.reads, principal.platformId, [connection.id]);
    const health = all.get(connection.id);
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        connectionId: connection.id,
        openPayments: blockersIn(health),
        openItems: health?.openItems ?? 0,
        waitingMarks: health?.waitingMarks ?? 0,
        readAt: connection.updatedAt,
      },
      toAnswer: () => ({ status: 204, body: "" }),
    });
  },
});
