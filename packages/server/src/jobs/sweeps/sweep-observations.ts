/**
 * Deletes old observations of rate sources, but for the last one of each source and those that were in use when a quote was priced. Each old
 * observation is looked at once: one that stays is marked. If the process dies, the next sweep goes on with those that are left.
 */
import { parameter } from "../../postgres/columns.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Statement } from "../../postgres/pipeline.ts";

const ROWS_AT_ONCE = 1_000;

/** A quote is priced from an observation until the next one of its source. */
const sweep: Statement = {
  name: "rate_observations/sweep",
  text:
    "with old as materialized (select o.ctid as place, o.platform_id, o.source_id, o.created_at, next.created_at as until from rate_observations o " +
    "join lateral (select n.created_at from rate_observations n where n.platform_id = o.platform_id and n.source_id = o.source_id " +
    "and n.id > o.id order by n.id limit 1) next on true " +
    "where not o.is_kept and o.created_at < $1::timestamptz order by o.created_at limit $2::int8), " +
    "used as materialized (select o.place from old o where exists (select from quote_prices q where q.platform_id = o.platform_id " +
    "and q.source_id = o.source_id and q.created_at >= o.created_at and q.created_at <= o.until)), " +
    "kept as (update rate_observations set is_kept = true where ctid = any(array(select place from used))), " +
    "gone as (delete from rate_observations where ctid = any(array(select place from old except select place from used))) " +
    "select (select count(*) from old), (select count(*) from old) - (select count(*) from used)",
};

/** Answers how many were deleted. */
export async function sweepObservations(
  lane: Lane,
  before: number,
  isStopped: () => boolean,
): Promise<number> {
  let swept = 0;
  while (!isStopped()) {
    const parameters = [parameter("time", before), parameter("int8", BigInt(ROWS_AT_ONCE))];
    const [result] = await lane.run([{ statement: sweep, parameters }]);
    const [looked, deleted] = (result?.rows[0] ?? []).map(Number);
    swept += deleted ?? 0;
    if ((looked ?? 0) < ROWS_AT_ONCE) break;
  }
  return swept;
}
