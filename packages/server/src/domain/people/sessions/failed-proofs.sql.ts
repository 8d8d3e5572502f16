/** Failed proofs of people, counted across all servers in windows of ten minutes. A failure outside a window opens a new one. */
import { parameter } from "../../../postgres/columns.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";

export const COUNTED_FOR_MS = 10 * 60_000;

export interface CountedFailures {
  readonly count: number;
  /** When the window ends. */
  readonly until: number;
}

const current = {
  name: "failed_proofs/get",
  text:
    "select failures, floor(extract(epoch from began_at) * 1000)::int8 from failed_proofs " +
    "where key_hash = $1::text and began_at > $2::timestamptz",
};

/** `handle` is the hash of a key. */
export async function findFailures(
  reads: Reads,
  handle: string,
  now: number,
): Promise<CountedFailures | undefined> {
  const since = new Date(now - COUNTED_FOR_MS).toISOString();
  const [cells] = await reads.cells(current, [handle, since]);
  if (cells === undefined) return undefined;
  return { count: Number(cells[0]), until: Number(cells[1]) + COUNTED_FOR_MS };
}

const add: Statement = {
  name: "failed_proofs/add",
  text:
    "insert into failed_proofs as f (key_hash, failures, began_at) values ($1::text, 1, $2::timestamptz) " +
    "on conflict (key_hash) do update set failures = case when f.began_at > $3::timestamptz then f.failures + 1 else 1 end, " +
    "began_at = case when f.began_at > $3::timestamptz then f.began_at else excluded.began_at end",
};

export function failureStep(keyHash: string, now: number): Step {
  return {
    statement: add,
    parameters: [
      parameter("text", keyHash),
      parameter("time", now),
      parameter("time", now - COUNTED_FOR_MS),
    ],
  };
}
