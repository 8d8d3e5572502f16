import type { Command, World } from "../../../engine/command.ts";
import { wrongState } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { putRoutingOf, railRoutings } from "../routes/routing.ts";
import {
  putConnection,
  type RailConnection,
  railConnections,
  requireLiveConnection,
} from "./rail-connection.ts";

export interface ResumeRailConnectionInput {
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

/** Schedules the job that gives what is queued to the connection. */
export function scheduleQueue(world: World, connectionId: string): void {
  scheduleJob(world, {
    kind: "send-rail-queue",
    payload: { connectionId },
    dueAt: world.at,
  });
}
