/**
 * Deletes the stored answers of idempotency keys. The row of the command log stays, with the digest of the answer, which the
 * hash chain covers.
 *
 * A platform's log is walked in order, which is the order of time, and the same statement stores how far it was walked. So
 * no row is visited twice and a step costs the same for a log of any length. If the process dies, the next sweep resumes
 * there; two concurrent sweeps do the same work, and the second finds it done.
 */

import { parameter } from "../../postgres/columns.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Statement } from "../../postgres/pipeline.ts";
import { present } from "../../std/assert.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";

const PLATFORMS_AT_ONCE = 500n;
const COMMANDS_AT_ONCE = 1_000n;

/** The platforms after this one, and whether the first command that was not walked yet is old enough. */
const nextPlatforms: Statement = {
  name: "forgotten_answers/next-platforms",
  text:
    "select k.platform_id, coalesce((select c.at < $3::timestamptz from command_log c where c.platform_id = k.platform_id " +
    "and c.seq > coalesce(f.until_seq, 0) order by c.seq limit 1), false) from platform_heads k " +
    "left join forgotten_answers f on f.platform_id = k.platform_id " +
    "where k.platform_id > $1::uuid order by k.platform_id limit $2::int8",
};

const forgetAnswers: Statement = {
  name: "forgotten_answers/forget",
  text:
    "with looked as materialized (select c.seq, c.at, c.idempotency_digest from command_log c " +
    "where c.platform_id = $1::uuid and c.seq > coalesce(" +
    "(select f.until_seq from forgotten_answers f where f.platform_id = $1::uuid), 0) " +
    "order by c.seq limit $3::int8), " +
    "old as materialized (select * from looked where at < $2::timestamptz), " +
    "forgotten as (update command_log set idempotency_digest = null, answer = null where platform_id = $1::uuid " +
    "and seq = any (array(select seq from old where idempotency_digest is not null)) and idempotency_digest is not null returning seq), " +
    "walked as (insert into forgotten_answers as f (platform_id, until_seq) " +
    "select $1::uuid, max(seq) from old having count(*) > 0 on conflict (platform_id) " +
    "do update set until_seq = greatest(f.until_seq, excluded.until_seq)) " +
    "select (select count(*) from old), (select count(*) from forgotten)",
};

export interface SweepOptions {
  /** Answers older than this are deleted. */
  readonly before: number;
  readonly isStopped: () => boolean;
}

/** Answers how many stored answers were deleted. */
export async function sweepAnswers(lane: Lane, options: SweepOptions): Promise<number> {
  let swept = 0;
  let after = BEFORE_ALL_IDS;
  while (!options.isStopped()) {
    const [result] = await lane.run([
      {
        statement: nextPlatforms,
        parameters: [
          parameter("uuid", after),
          parameter("int8", PLATFORMS_AT_ONCE),
          parameter("time", options.before),
        ],
      },
    ]);
    const platforms = present(result, "the result of a statement").rows;
    for (const [platformId, hasOld] of platforms) {
      if (hasOld === "t") swept += await sweepPlatform(lane, platformId ?? "", options);
    }
    if (platforms.length < Number(PLATFORMS_AT_ONCE)) break;
    after = platforms.at(-1)?.[0] ?? "";
  }
  return swept;
}

async function sweepPlatform(
  lane: Lane,
  platformId: string,
  { before, isStopped }: SweepOptions,
): Promise<number> {
  let swept = 0;
  while (!isStopped()) {
    const [result] = await lane.run([
      {
        statement: forgetAnswers,
        parameters: [
          parameter("uuid", platformId),
          parameter("time", before),
          parameter("int8", COMMANDS_AT_ONCE),
        ],
      },
    ]);
    const [walked, forgotten] = present(result?.rows[0], "what was walked and forgotten");
    swept += Number(forgotten);
    if (Number(walked) < Number(COMMANDS_AT_ONCE)) break;
  }
  return swept;
}
