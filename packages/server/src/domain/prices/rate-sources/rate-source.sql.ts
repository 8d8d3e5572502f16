/** Reads of rate sources and of what they said. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import {
  type RateObservation,
  type RateSource,
  rateObservations,
  rateSources,
} from "./rate-source.ts";

const byId = {
  name: "rate_sources/get",
  text:
    `select ${rateSources.selectList("t")} from rate_sources t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findSource(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<RateSource | undefined> {
  const [source] = await reads.rows(rateSources, byId, [platformId, id]);
  return source;
}

const sources = tableSource(rateSources);

export function listSources(reads: Reads, query: ListQuery): Promise<ListPage<RateSource>> {
  return listPage(reads, sources, query);
}

const observations = tableSource(rateObservations);

export function listObservations(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<RateObservation>> {
  return listPage(reads, observations, query);
}

const live = {
  name: "rate_sources/live",
  text:
    `select ${rateSources.selectList("t")} from rate_sources t ` +
    "where t.platform_id = $1::uuid and t.deleted_at is null",
};

/** All that are there: 20 at most. */
export function listLiveSources(reads: Reads, platformId: string): Promise<readonly RateSource[]> {
  return reads.rows(rateSources, live, [platformId]);
}
