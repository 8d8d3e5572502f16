/** Calls that are repeated under their key across kills, and work during which a server is killed. */
import { pause, systemClock } from "../../src/std/clock.ts";
import { type Call, send } from "./history.ts";
import type { ServerProcess } from "./server-process.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface Pair {
  readonly victim: ServerProcess;
  readonly other: ServerProcess;
}

/** Calls the victim first, and under the same key the server that lives, until there is an answer. */
export async function persist(
  { victim, other }: Pair,
  call: Call & { readonly key: string },
): Promise<Row> {
  for (let attempt = 0; ; attempt++) {
    const server = attempt % 2 === 0 ? victim : other;
    const reply = await send(server, call).catch(() => undefined);
    if (reply !== undefined && reply.status < 300) return JSON.parse(reply.text);
    if (reply !== undefined && reply.status !== 503) throw new Error(`${call.path}: ${reply.text}`);
    await pause(systemClock, 20);
  }
}

/** Does the work while the victim is killed after a moment, and starts it again. */
export async function acrossAKill<T>(
  { victim }: Pick<Pair, "victim">,
  waitMs: number,
  work: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const done = work();
  const killed = pause(systemClock, waitMs).then(() => victim.kill());
  const [result] = await Promise.all([done, killed]);
  await victim.start();
  return result;
}
