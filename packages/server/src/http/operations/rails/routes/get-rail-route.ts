import Type from "typebox";
import { findRoute } from "../../../../domain/rails/routes/rail-route.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { RailRouteSchema, railRouteExample, routeJson } from "../../../../wire/rails/rail-route.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getRailRoute = defineOperation({
  id: "getRailRoute",
  method: "GET",
  path: "/rails/routes/{routeId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get a rail route",
  params: Type.Object({ routeId: pathId("RailRoute") }),
  answers: {
    200: { description: "The route.", schema: RailRouteSchema, example: railRouteExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailRoute", params.routeId, "REFERENCE_NOT_FOUND");
    const route = await findRoute(reads, principal.platformId, id);
    if (route === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: routeJson(route) };
  },
});
