/**
 * Records when a session of a person was last used. The caller notes a session every few seconds at most; no call waits for the write.
 *
 * Bounds: one write at a time, and the number of sessions that wait. A use that is lost (beyond the bound, in a failed write, with the
 * process) is made up for by the session's next use; until then other servers see the session as idle for longer.
 */
import {
  type SessionUse,
  sessionUseStep,
} from "../../domain/people/sessions/person-session.sql.ts";
import type { Database } from "../../postgres/database.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

export interface SessionUses {
  note(use: SessionUse): void;
  /** Writes the uses noted so far. Never rejects. */
  flush(): Promise<void>;
}

const MOST_WAITING = 10_000;

export function createSessionUses({
  database,
  log,
}: {
  readonly database: Pick<Database, "openLane">;
  readonly log: Log;
}): SessionUses {
  let waiting = new Map<string, SessionUse>();
  let underway: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const uses = [...waiting.values()];
      waiting = new Map();
      try {
        const lane = await database.openLane("session uses");
        await lane.run(uses.map(sessionUseStep)).finally(() => lane.close());
      } catch (error) {
        log.warn(
          { err: messageOf(error), sessions: uses.length },
          "the use of sessions was not written",
        );
      }
    }
  }

  function flush(): Promise<void> {
    underway ??= write().finally(() => {
      underway = undefined;
    });
    return underway;
  }

  return {
    note(use) {
      if (waiting.size < MOST_WAITING || waiting.has(use.sessionId))
        waiting.set(use.sessionId, use);
      void flush();
    },
    flush,
  };
}
