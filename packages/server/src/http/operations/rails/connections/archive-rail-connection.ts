import Type from "typebox";
import { archiveRailConnection as command } from "../../../../domain/rails/connections/archive-rail-connection.ts";
import {
  blockersIn,
  connectionHealth,
} from "../../../../domain/rails/connections/rail-connection.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation, type Principal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { toErrorAnswer } from "../../../server/errors.ts";
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
    for (let tries = 1; ; tries++) {
      const answer = await archive(services, principal, params.connectionId);
      if (answer.body !== TOUCHED.body || tries === MOST_TRIES) return answer;
    }
  },
});

/** A connection that gets something between each count and its commit is in use. */
const MOST_TRIES = 5;
const TOUCHED = toErrorAnswer(
  new Refusal("CONFLICT", {}, "The connection is in use; send the request again."),
);

async function archive(services: Services, principal: Principal, rawId: string) {
  const { connection } = await requireConnection(services, principal, rawId);
  const all = await connectionHealth(services.reads, principal.platformId, [connection.id]);
  const health = all.get(connection.id);
  return submitForCaller(services.engine, principal, {
    command,
    input: {
      connectionId: connection.id,
      openPayments: blockersIn(health),
      openItems: health?.openItems ?? 0,
      waitingMarks: health?.waitingMarks ?? 0,
      touchedAt: connection.touchedAt,
    },
    toAnswer: (archived) => (archived === "touched" ? TOUCHED : { status: 204, body: "" }),
  });
}
