/**
 * Deletes old observations of rate sources, except the last one of each source and those from which a quote was priced. Each old
 * observation is checked once: one that stays is marked. If the process dies, the next sweep goes on with those that are left.
 */
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Statement, Step, StepResult } from "../../postgres/pipeline.ts";
import { groupBy } from "../../std/group.ts";

const ROWS_AT_ONCE = 1_000;

/**
 * The next old observations of all platforms, and whether one was in use when a quote was priced: a quote is priced from an observation
 * until the next one of its source.
 */
const find: Statement = {
  name: "rate_observations/old",
  text:
    "select o.platform_id, o.id, exists (select from quote_prices q where q.platform_id = o.platform_id " +
    "and q.source_id = o.source_id and q.created_at >= o.created_at and q.created_at <= (" +
    "select n.created_at from rate_observations n where n.platform_id = o.platform_id and n.source_id = o.source_id " +
    "and n.id > o.id order by n.id limit 1)) from rate_observations o " +
    "where not o.is_kept and o.created_at < $1::timestamptz and exists (select from rate_observations n " +
    "where n.platform_id = o.platform_id and n.source_id = o.source_id and n.id > o.id) order by o.created_at limit $2::int8",
};

const keep: Statement = {
  name: "rate_observations/keep",
  text: "update rate_observations set is_kept = true where platform_id = $1::uuid and id = any ($2::uuid[])",
};

const drop: Statement = {
  name: "rate_observations/drop",
  text: "delete from rate_observations where platform_id = $1::uuid and id = any ($2::uuid[])",
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
    const [result] = await lane.run([{ statement: find, parameters }]);
    const old = result?.rows ?? [];
    const unused = old.filter(([, , isUsed]) => isUsed !== "t");
    const used = old.filter(([, , isUsed]) => isUsed === "t");
    await lane.run([...stepsOf(keep, used), ...stepsOf(drop, unused)]);
    swept += unused.length;
    if (old.length < ROWS_AT_ONCE) break;
  }
  return swept;
}

/** One statement per platform, because the rows of a platform are on one cluster node. */
function stepsOf(statement: Statement, rows: StepResult["rows"]): readonly Step[] {
  return [...groupBy(rows, ([platformId]) => platformId ?? "")].map(([platformId, own]) => {
    const ids = own.map(([, id]) => id);
    return { statement, parameters: [parameter("uuid", platformId), arrayParameter("uuid", ids)] };
  });
}
