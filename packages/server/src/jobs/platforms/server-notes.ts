/**
 * Writes a row about this server for the operators, and never reads it. The row is deleted at a stop; the row of a killed server stays
 * for a day with the time of its last write.
 *
 * Bounds: one small row every ten seconds, over a connection that is closed again. A write that fails is logged; the next one follows.
 */
import {
  dropServerStep,
  dropUnseenStep,
  noteServerStep,
  type ServerFigures,
} from "../../domain/platforms/system/servers.sql.ts";
import { commitWithoutWaiting } from "../../followers/follower.ts";
import type { Database } from "../../postgres/database.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { randomIds } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";

export interface ServerNotes {
  readonly id: string;
  start(name: string): void;
  /** Writes the row now. Never rejects. */
  note(): Promise<void>;
  stop(): Promise<void>;
}

const NOTE_EVERY_MS = 10_000;
const KEPT_MS = 24 * 60 * 60_000;

export function createServerNotes({
  database,
  clock,
  log,
  version,
  figures,
}: {
  readonly database: Pick<Database, "openLane">;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly figures: () => Promise<ServerFigures>;
}): ServerNotes {
  const startedAt = clock.now();
  const id = randomIds().next(startedAt);
  let name = "";
  let isStopped = false;
  let underway: Promise<void> | undefined;
  let cancel: Cancel | undefined;

  async function write(isLast: boolean): Promise<void> {
    try {
      const now = clock.now();
      const row = isLast ? undefined : { id, name, version, startedAt, seenAt: now };
      const steps =
        row === undefined
          ? [dropServerStep(id)]
          : [noteServerStep({ ...row, figures: await figures() }), dropUnseenStep(now - KEPT_MS)];
      const lane = await database.openLane("server");
      await lane.run([commitWithoutWaiting, ...steps]).finally(() => lane.close());
    } catch (error) {
      log.warn({ err: messageOf(error) }, "the figures of this server were not written");
    }
  }

  function note(): Promise<void> {
    underway ??= write(false).finally(() => {
      underway = undefined;
    });
    return underway;
  }

  function noteLater(): void {
    if (isStopped) return;
    cancel = clock.after(NOTE_EVERY_MS, () => void note().then(noteLater));
  }

  return {
    id,
    note,
    start(given) {
      name = given;
      void note().then(noteLater);
    },
    async stop() {
      isStopped = true;
      cancel?.();
      await underway;
      await write(true);
    },
  };
}
