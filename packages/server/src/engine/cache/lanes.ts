/** The lanes: a fixed number of connections that write. A lane is opened on first use and again after it broke. */
import type { Database, Lane } from "../../postgres/database.ts";

export interface Lanes {
  /** How many more batches may be in flight. */
  free(): number;
  reserve(): symbol;
  release(reservation: symbol): void;
  /** Takes an idle connection, or opens one. */
  take(): Promise<Lane>;
  giveBack(lane: Lane): void;
  /** After an error that leaves the connection usable: rolls back, or closes the lane when that fails. */
  recover(lane: Lane): Promise<void>;
  /** After any other error: closes the lane. */
  discard(lane: Lane): Promise<void>;
  close(): Promise<void>;
}

export function createLanes(options: {
  readonly database: Database;
  readonly count: number;
}): Lanes {
  const idle: Lane[] = [];
  const reservations = new Set<symbol>();

  return {
    free: () => options.count - reservations.size,
    reserve() {
      const reservation = Symbol("lane");
      reservations.add(reservation);
      return reservation;
    },
    release: (reservation) => reservations.delete(reservation),
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
