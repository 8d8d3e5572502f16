import { isAccountType, railsOfType } from "../../../../domain/accounts/external/account-types.ts";
import { toConnectionId } from "../../../../domain/rails/connections/rail-connection.ts";
import { toRouteId } from "../../../../domain/rails/routes/rail-route.ts";
import { findRouting, resolveRoute } from "../../../../domain/rails/routes/routing.ts";
import { invalidField } from "../../../../engine/refusal.ts";
import {
  ResolutionSchema,
  resolveBody,
  resolveExample,
} from "../../../../wire/rails/rail-route.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const resolveRailRoute = defineOperation({
  id: "resolveRailRoute",
  method: "POST",
  path: "/rails/routes/resolve",
  access: "VIEW",
  capability: "rails.read",
  ignoresKey: true,
  tag: "Rails",
  summary: "Resolve a rail route",
  description:
    "Every route of this direction and currency, in the order in which they are tried, and why it is taken or not. Changes nothing. " +
    "Without `paymentRail` the account type's rails are tried in their order.",
  body: resolveBody,
  requestExample: resolveExample,
  answers: {
    200: {
      description: "The candidates; none of them is `taken` when no route takes the payment.",
      schema: ResolutionSchema,
      example: {
        paymentRail: "ACH",
        candidates: [
          {
            routeId: "RailRoute:019a4f00-0000-7000-8000-000000000022",
            connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
            taken: true,
            reason: "TAKEN",
          },
        ],
      },
    },
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT"],
  async handle({ principal, body }, { reads }: Services) {
    const { direction, currency, accountType, paymentRail, amount } = body;
    if (!isAccountType(accountType)) throw invalidField("accountType", "is no type of account");
    const routing = await findRouting(reads, principal.platformId);
    const resolution = resolveRoute(routing, {
      direction,
      currency,
      accountType,
      paymentRails: paymentRail === undefined ? railsOfType(accountType) : [paymentRail],
      amountMinor: BigInt(amount),
    });
    const candidates = resolution.candidates.map(({ routeId, connectionId, reason }) => ({
      routeId: toRouteId(routeId),
      connectionId: toConnectionId(connectionId),
      taken: reason === "TAKEN",
      reason,
    }));
    const taken = resolution.kind === "taken" ? { paymentRail: resolution.choice.paymentRail } : {};
    return { status: 200, body: JSON.stringify({ ...taken, candidates }) };
  },
});
