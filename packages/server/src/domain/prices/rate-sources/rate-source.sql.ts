/** Reads of rate sources and of their observations. */
import type { Reads } from "../../../postgres/database.ts";
import { liveFinderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type RateSource, rateObservations, rateSources } from "./rate-source.ts";

export const findSource = liveFinderOf(rateSources);

export const listSources = listerOf(rateSources);

export const listObservations = listerOf(rateObservations);

const live = {
  name: "rate_sources/live",
  text:
    `select ${rateSources.selectList("t")} from rate_sources t ` +
    "where t.platform_id = $1::uuid and t.deleted_at is null",
};

/** All live sources of a platform: 20 at most. */
export function listLiveSources(reads: Reads, platformId: string): Promise<readonly RateSource[]> {
  return reads.rows(rateSources, live, [platformId]);
}
