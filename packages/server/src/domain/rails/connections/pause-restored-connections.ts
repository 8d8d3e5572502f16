import type { Command } from "../../../engine/command.ts";
import { putRouting, railRoutings, routingNeeds } from "../routes/routing.ts";
import { liveConnections, putConnection, type RailConnection } from "./rail-connection.ts";

/**
 * Pauses every connection of a platform whose database was restored from a backup: orders of the time since then may have left without the books
 * knowing. Reports, callbacks and entries are taken, and tell of them; each connection is resumed by a call of its own. Answers those that
 * it has paused; a connection in SETUP, or one that is paused, stays as it is.
 */
export const pauseRestoredConnections: Command<
  Readonly<Record<string, never>>,
  readonly RailConnection[]
> = {
  name: "pause-restored-connections",
  needs: (world) => [...routingNeeds, railRoutings.ref(world.platformId)],
  decide(world) {
    const carrying = world
      .all(liveConnections)
      .filter(({ status }) => status === "ACTIVE" || status === "DEGRADED");
    const paused = carrying.map((connection) =>
      putConnection(world, { ...connection, status: "PAUSED", newPayments: "REFUSE" }),
    );
    if (paused.length > 0) putRouting(world);
    return paused;
  },
};
