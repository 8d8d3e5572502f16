/** Reads of routes. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type RailRoute, railRoutes } from "./rail-route.ts";
import { type RailRouting, railRoutings } from "./routing.ts";

const byId = {
  name: "rail_routes/get",
  text:
    `select ${railRoutes.selectList("t")} from rail_routes t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findRoute(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<RailRoute | undefined> {
  const [route] = await reads.rows(railRoutes, byId, [platformId, id]);
  return route;
}

const source = tableSource(railRoutes);

export function listRoutes(reads: Reads, query: ListQuery): Promise<ListPage<RailRoute>> {
  return listPage(reads, source, query);
}

const routing = {
  name: "rail_routings/get",
  text: `select ${railRoutings.selectList("t")} from rail_routings t where t.platform_id = $1::uuid and t.id = $1::uuid`,
};

export async function findRouting(
  reads: Reads,
  platformId: string,
): Promise<RailRouting | undefined> {
  const [found] = await reads.rows(railRoutings, routing, [platformId]);
  return found;
}
