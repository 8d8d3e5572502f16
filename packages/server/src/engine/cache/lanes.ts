/**
 * The lanes: connections that write. A lane is opened on first use and again after it broke.
 *
 * A platform with batches in flight occupies a place, which is `regular` or `aside`. A platform whose batch fails or hangs moves
 * to `aside` until one of its commits succeeds, so a node of a distributed database that is down does not stop the platforms of
 * the other nodes. There are `count` places of each kind, and a platform starts a batch only in a free place of its kind. A
 * platform that moves while its batch runs may exceed that number, for `DatabaseLimits.laneSilenceMs` at most.
 */
import type { Database, Lane } from "../../postgres/database.ts";

export interface Lanes {
  isFree(place: Place): boolean;
  reserve(holder: PlaceHolder): void;
  release(holder: PlaceHolder): void;
  /** Takes an idle connection, or opens one. */
  take(): Promise<Lane>;
  giveBack(lane: Lane): void;
  /** After an error that leaves the connection usable: rolls back, or closes the lane when that fails. */
  recover(lane: Lane): Promise<void>;
  /** After any other error: closes the lane. */
  discard(lane: Lane): Promise<void>;
  close(): Promise<void>;
}

export type Place = "regular" | "aside";

/** `place` may change between `reserve` and `release`. */
export interface PlaceHolder {
  readonly place: Place;
}

export function createLanes(options: {
  readonly database: Database;
  readonly count: number;
}): Lanes {
  const idle: Lane[] = [];
  const holders = new Set<PlaceHolder>();

  return {
    isFree(place) {
      let taken = 0;
      for (const holder of holders) if (holder.place === place) taken++;
      return taken < options.count;
    },
    reserve: (holder) => void holders.add(holder),
    release: (holder) => void holders.delete(holder),
    async take() {
      for (let lane = idle.pop(); lane !== undefined; lane = idle.pop()) {
        if (!lane.broken()) return lane;
      }
      return options.database.openLane("engine");
    },
    giveBack: (lane) => void idle.push(lane),
    async recover(lane) {
      try {
        await lane.reset();
        idle.push(lane);
      } catch {
        await lane.close();
      }
    },
    discard: (lane) => lane.close(),
    async close() {
      await Promise.all(idle.splice(0).map((lane) => lane.close()));
    },
  };
}
