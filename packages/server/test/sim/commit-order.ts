/**
 * The order in which concurrent commands were executed. Concurrent commands have no defined order: a command with cached rows
 * overtakes one that waits for its prefetch.
 */
import type { Client } from "pg";
import type { Answered } from "../../src/engine/command.ts";
import type { Asked } from "./orders.ts";
import { isKept } from "./verdict.ts";

/** Answers in order of arrival, which is the order of the server's decisions. */
export interface Arrivals {
  readonly answers: readonly Answered[];
  /** Indices of the answers, by arrival. */
  readonly came: readonly number[];
}

export async function arrivalsOf(answers: readonly Promise<Answered>[]): Promise<Arrivals> {
  const came: number[] = [];
  const noted = answers.map(async (answer, index) => {
    const answered = await answer;
    came.push(index);
    return answered;
  });
  return { answers: await Promise.all(noted), came };
}

/**
 * With two servers and the same keys, the log gives the order. A command that is not in the log changed nothing, and its time
 * of decision is unknown. Of two uses of a key, the first is the one without IDEMPOTENCY_KEY_REUSED.
 */
export async function orderInLog(
  { client, platformId }: { readonly client: Client; readonly platformId: string },
  asked: readonly Asked[],
  answers: readonly Answered[],
): Promise<{ readonly logged: readonly number[]; readonly unlogged: readonly number[] }> {
  const keys = asked.flatMap(({ key }) => key ?? []);
  const found = await client.query<{ key: string; seq: string }>(
    "select idempotency_key as key, seq from command_log where platform_id = $1 and idempotency_key = any($2)",
    [platformId, keys],
  );
  const seqs = new Map(found.rows.map(({ key, seq }) => [key, Number(seq)]));
  const seqOf = (index: number) => {
    const answer = answers[index];
    // A key without a stored answer may have another one in the log, from the other server.
    return answer !== undefined && isKept(answer) ? seqs.get(asked[index]?.key ?? "") : undefined;
  };
  const isReuse = (index: number) => Number(answers[index]?.status === 422);
  const all = [...asked.keys()];
  const logged = all
    .filter((index) => seqOf(index) !== undefined)
    .sort(
      (left, right) => (seqOf(left) ?? 0) - (seqOf(right) ?? 0) || isReuse(left) - isReuse(right),
    );
  return { logged, unlogged: all.filter((index) => seqOf(index) === undefined) };
}
