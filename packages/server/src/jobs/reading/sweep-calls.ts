/**
 * Deletes old rows of the request log. They are found by their ids, which hold the time of the write, so that the log needs no index of
 * its times. Platforms with old calls are found by their contents, of which there is one for up to 64 calls.
 */
import { parameter } from "../../postgres/columns.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Statement } from "../../postgres/pipeline.ts";
import { BEFORE_ALL_IDS, lowestIdAt } from "../../std/ids.ts";

const CALLS_AT_ONCE = 1_000n;

const platformsWithOld: Statement = {
  name: "request_log_contents/platforms-with-old",
  text: "select distinct platform_id from request_log_contents where at < $1::timestamptz",
};

/** In the order of the ids, so that a later batch does not pass the entries of the index that an earlier one has left dead. */
const forgetCalls: Statement = {
  name: "request_logs/forget",
  text:
    "delete from request_logs where platform_id = $1::uuid and id = any (array(select t.id from request_logs t " +
    "where t.platform_id = $1::uuid and t.id > $2::uuid and t.id < $3::uuid order by t.id limit $4::int8)) returning id",
};

interface CallSweep {
  readonly before: number;
  readonly isStopped: () => boolean;
}

/** Answers how many rows it deleted. */
export async function sweepCalls(lane: Lane, { before, isStopped }: CallSweep): Promise<number> {
  const [found] = await lane.run([
    { statement: platformsWithOld, parameters: [parameter("time", before)] },
  ]);
  let swept = 0;
  for (const [platformId] of found?.rows ?? []) {
    swept += await sweepPlatform(lane, platformId ?? "", { before, isStopped });
  }
  return swept;
}

async function sweepPlatform(
  lane: Lane,
  platformId: string,
  { before, isStopped }: CallSweep,
): Promise<number> {
  let swept = 0;
  let past = BEFORE_ALL_IDS;
  while (!isStopped()) {
    const [dropped] = await lane.run([
      {
        statement: forgetCalls,
        parameters: [
          parameter("uuid", platformId),
          parameter("uuid", past),
          parameter("uuid", lowestIdAt(before)),
          parameter("int8", CALLS_AT_ONCE),
        ],
      },
    ]);
    const rows = dropped?.rows ?? [];
    swept += rows.length;
    if (rows.length < Number(CALLS_AT_ONCE)) break;
    past =
      rows
        .map(([id]) => id ?? past)
        .toSorted()
        .at(-1) ?? past;
  }
  return swept;
}
