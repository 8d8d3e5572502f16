import type { Command, World } from "../../../engine/command.ts";
import { wrongState } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { putRouting, putRoutingOf, railRoutings, routingNeeds } from "../routes/routing.ts";
import {
  liveConnections,
  type PauseMode,
  putConnection,
  type RailConnection,
  railConnections,
  requireLiveConnection,
} from "./rail-connection.ts";

export interface PauseRailConnectionInput {
  readonly connectionId: string;
  readonly newPayments: PauseMode;
}

/**
 * Stops the sending of orders to a connection; reports about earlier orders are still taken. A pause of a paused connection changes the
 * handling of new payments. Refuses, in this order: an unknown connection, an archived one, one in SETUP.
 */
export const pauseRailConnection: Command<PauseRailConnectionInput, RailConnection> = {
  name: "pause-rail-connection",
  needs: (world, { connectionId }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { connectionId, newPayments }) {
    const connection = requireLiveConnection(world, connectionId, "paused");
    const { status } = connection;
    if (status === "SETUP") {
      throw wrongState({ object: "connection", status, needed: "ACTIVE", action: "paused" });
    }
    const paused = putConnection(world, { ...connection, status: "PAUSED", newPayments });
    putRoutingOf(world, paused);
    return paused;
  },
};

/**
 * Pauses every connection of a platform whose database was restored from a backup: orders accepted after the backup may have left without
 * the books knowing them. Reports, callbacks and entries are still taken and reveal such orders; each connection is resumed by a call of
 * its own. Answers the connections that it has paused; a connection in SETUP, or one that is paused, stays as it is.
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

interface ResumeRailConnectionInput {
  readonly connectionId: string;
}

/**
 * Ends the pause of a connection; what was queued is sent. Refuses, in this order: an unknown connection, an archived one, one
 * that is not PAUSED.
 */
export const resumeRailConnection: Command<ResumeRailConnectionInput, RailConnection> = {
  name: "resume-rail-connection",
  needs: (world, { connectionId }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { connectionId }) {
    const connection = requireLiveConnection(world, connectionId, "resumed");
    const { status } = connection;
    if (status !== "PAUSED") {
      throw wrongState({ object: "connection", status, needed: "PAUSED", action: "resumed" });
    }
    const resumed = putConnection(world, {
      ...connection,
      status: "ACTIVE",
      newPayments: "REFUSE",
      failures: 0,
    });
    putRoutingOf(world, resumed);
    scheduleQueue(world, connectionId);
    return resumed;
  },
};

/** Schedules the job that sends the queued payments to the connection. */
export function scheduleQueue(world: World, connectionId: string): void {
  scheduleJob(world, {
    kind: "send-rail-queue",
    payload: { connectionId },
    dueAt: world.at,
  });
}
