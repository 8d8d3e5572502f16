/**
 * In which order commands that were asked for together were carried out. Commands under way together have no order of
 * their own: one whose rows are in memory goes past one whose rows have to be fetched.
 */
import type { Client } from "pg";
import type { Answered } from "../../src/engine/command.ts";
import type { Asked } from "./orders.ts";
import { isKept } from "./verdict.ts";

/** Answers as they came: a server gives them in the order in which it decided. */
export interface Arrivals {
  readonly answers: readonly Answered[];
  /** Indices of the answers, the first that came in front. */
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
 * When two servers were asked under the same keys, the log tells the order. What is not in it changed nothing, and nobody
 * knows when it was decided. Of two uses of one key the first is the one that was not refused for it.
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
    // A key whose answer was not kept may have got another one, which is in the log, from the other server.
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
