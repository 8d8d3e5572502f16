/**
 * The lanes: connections that write. A lane is opened on first use and again after it broke.
 *
 * A platform has a place while it has batches in flight. One whose batch fails or hangs is set aside until a commit succeeds: it
 * leaves its place to other platforms, so a node of a distributed database that is down does not stop the platforms of
 * the other nodes. There are as many places aside as regular ones, and a batch starts only in a free place of its kind. A batch
 * that is set aside while it runs may exceed their number. `DatabaseLimits.laneSilenceMs` bounds how long it does.
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

/** Its place may change while it holds it. */
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
