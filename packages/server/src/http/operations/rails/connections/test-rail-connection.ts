import Type from "typebox";
import { missingIn } from "../../../../domain/rails/connections/connection-settings.ts";
import type { FoundConnection } from "../../../../domain/rails/connections/rail-connection.sql.ts";
import type { ConnectorCheck } from "../../../../domain/rails/orders/connector.port.ts";
import { wrongState } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { requireConnection } from "./connection-body.ts";

export const testRailConnection = defineOperation({
  id: "testRailConnection",
  method: "POST",
  path: "/rails/connections/{connectionId}/test",
  access: "MANAGE",
  capability: "rails.write",
  ignoresKey: true,
  tag: "Rails",
  summary: "Test a rail connection",
  description:
    "A dry run, which changes nothing and moves nothing: whether its settings are complete, and of an `HTTP` connection whether " +
    "the connector describes itself, refuses a wrong signature, and says of an unknown payment that it was not received. Takes at most 30 seconds.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "Every check; `ok` when all passed.",
      schema: Type.Object({
        ok: Type.Boolean(),
        checks: Type.Array(
          Type.Object({
            name: Type.String(),
            ok: Type.Boolean(),
            message: Type.String(),
            ms: Type.Integer(),
          }),
        ),
      }),
      example: {
        ok: true,
        checks: [{ name: "settings", ok: true, message: "Nothing is missing.", ms: 0 }],
      },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const found = await requireConnection(services, principal, params.connectionId);
    const { status } = found.connection;
    if (status === "ARCHIVED") {
      throw wrongState({ object: "connection", status, needed: "live", action: "tried" });
    }
    const checks = await checksOf(found, services);
    const body = JSON.stringify({ ok: checks.every(({ ok }) => ok), checks });
    return { status: 200, body };
  },
});

/** A connector is called only when its address and its secret are there; what it carries is then told by itself. */
async function checksOf(
  found: FoundConnection,
  { connectors }: Services,
): Promise<readonly ConnectorCheck[]> {
  const missing = missingIn(found.connection).filter((field) => field !== "capabilities");
  const message = missing.length === 0 ? "Nothing is missing." : `Missing: ${missing.join(", ")}.`;
  const settings = { name: "settings", ok: missing.length === 0, message, ms: 0 };
  const { kind, settings: set, signingSecretSealed } = found.connection;
  const isReachable = set.baseUrl !== undefined && signingSecretSealed !== null;
  if (kind !== "HTTP" || !isReachable) return [settings];
  return [settings, ...(await connectors.test(found))];
}
