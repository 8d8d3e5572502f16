/**
 * Notifies its listeners when the head of a platform or of a workspace has moved. The engine reports the commits of this server that have
 * events; one statement for all watched heads finds every other commit, those of other servers included.
 *
 * Bounds: one statement at a time, whatever the number of listeners. Each listener belongs to a stream or to a follower, whose number is
 * bounded where they are opened.
 */
import type { HeadPlace, HeadWatch } from "../../domain/reading/live/head-watch.port.ts";
import { headPlaces } from "../../domain/reading/live/live-notices.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

export interface HeadWatcher extends HeadWatch {
  /** A commit of this server has added events of this platform. */
  newEvents(platformId: string): void;
}

type Listener = (place: HeadPlace | undefined) => void;

interface Watched {
  readonly listeners: Set<Listener>;
  /** Undefined until the first look. */
  seq: bigint | undefined;
}

/** The pause between two looks for the commits of other servers. */
const LOOK_MS = 500;

export function createHeadWatch({
  reads,
  clock,
  log,
}: {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
}): HeadWatcher {
  const heads = new Map<string, Watched>();
  let isLooking = false;

  function tell({ listeners }: Watched, place: HeadPlace | undefined): void {
    for (const listener of [...listeners]) listener(place);
  }

  async function look(): Promise<void> {
    try {
      for (const [partitionId, place] of await headPlaces(reads, [...heads.keys()])) {
        const watched = heads.get(partitionId);
        if (watched === undefined || place.seq === watched.seq) continue;
        watched.seq = place.seq;
        tell(watched, place);
      }
    } catch (error) {
      log.warn({ err: messageOf(error) }, "the look for commits of other servers failed");
    }
    if (heads.size > 0) clock.after(LOOK_MS, () => void look());
    else isLooking = false;
  }

  return {
    newEvents(platformId) {
      const watched = heads.get(platformId);
      if (watched !== undefined) tell(watched, undefined);
    },
    watch(partitionId, onMoved) {
      const watched = heads.get(partitionId) ?? { listeners: new Set(), seq: undefined };
      // Each call gets its own listener, so that removing one leaves the others of the same `onMoved`.
      const listener: Listener = (place) => onMoved(place);
      heads.set(partitionId, watched);
      watched.listeners.add(listener);
      if (!isLooking) {
        isLooking = true;
        clock.after(LOOK_MS, () => void look());
      }
      return () => {
        watched.listeners.delete(listener);
        if (watched.listeners.size === 0 && heads.get(partitionId) === watched)
          heads.delete(partitionId);
      };
    },
  };
}
