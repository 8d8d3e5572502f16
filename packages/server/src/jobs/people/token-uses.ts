/**
 * Records the day on which a token was last used. Uses gather in memory and are written together, a token once a day, on a connection
 * that is closed afterwards. No call waits for it.
 *
 * Bounds: the number of tokens that are remembered as written, and of those that wait. A token beyond the bound is noted at its next use.
 * If the process dies or a write fails, a use is recorded by the next one of that token.
 */
import { type TokenUse, tokenUsesStep } from "../../domain/people/tokens/token-use.sql.ts";
import type { Database } from "../../postgres/database.ts";
import { type Cancel, type Clock, dayOf } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { groupBy } from "../../std/group.ts";
import type { Log } from "../../std/log.ts";

export interface TokenUses {
  /** Called for each check of a token's secret: at most once a second for each token. */
  note(token: { readonly platformId: string; readonly tokenId: string }): void;
  /** Writes the uses noted so far. Never rejects. */
  flush(): Promise<void>;
}

const WRITE_AFTER_MS = 1_000;
const MOST_TOKENS = 10_000;

export function createTokenUses(options: {
  readonly database: Pick<Database, "openLane">;
  readonly clock: Clock;
  readonly log: Log;
}): TokenUses {
  const { database, clock, log } = options;
  /** The last day that was noted, by token. */
  const noted = new Map<string, string>();
  let waiting: TokenUse[] = [];
  let cancel: Cancel | undefined;
  let underway: Promise<void> = Promise.resolve();

  async function write(uses: readonly TokenUse[]): Promise<void> {
    try {
      const lane = await database.openLane("token uses");
      const steps = [...groupBy(uses, ({ platformId }) => platformId)].map(([platformId, own]) =>
        tokenUsesStep(platformId, own),
      );
      await lane.run(steps).finally(() => lane.close());
    } catch (error) {
      for (const { tokenId } of uses) noted.delete(tokenId);
      log.warn({ err: messageOf(error), tokens: uses.length }, "the use of tokens was not written");
    }
  }

  function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    const uses = waiting;
    waiting = [];
    if (uses.length > 0) underway = underway.then(() => write(uses));
    return underway;
  }

  return {
    note({ platformId, tokenId }) {
      const day = dayOf(clock.now());
      if (noted.get(tokenId) === day || waiting.length >= MOST_TOKENS) return;
      noted.delete(tokenId);
      if (noted.size >= MOST_TOKENS) noted.delete(noted.keys().next().value ?? "");
      noted.set(tokenId, day);
      waiting.push({ platformId, tokenId, day });
      cancel ??= clock.after(WRITE_AFTER_MS, () => void flush());
    },
    flush,
  };
}
