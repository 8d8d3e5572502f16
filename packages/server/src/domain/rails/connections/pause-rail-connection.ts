import type { Command } from "../../../engine/command.ts";
import { wrongState } from "../../../engine/refusal.ts";
import { putRoutingOf, railRoutings } from "../routes/routing.ts";
import {
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
 * Stops the connection from being given orders; reports about earlier ones are taken. A pause of a paused connection changes
 * what happens with new payments. Refuses, in this order: an unknown connection, an archived one, one in SETUP.
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
