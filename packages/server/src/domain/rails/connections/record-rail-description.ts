import type { Command } from "../../../engine/command.ts";
import { putRoutingOf, railRoutings } from "../routes/routing.ts";
import { DESCRIBED_EVERY_MS, type Described, toldOf } from "./activate-rail-connection.ts";
import { noteExchange, PROBED_EVERY_MS } from "./exchange-health.ts";
import { withFeed } from "./feed.ts";
import { putConnection, type RailConnection, railConnections } from "./rail-connection.ts";

export interface RecordRailDescriptionInput {
  readonly connectionId: string;
  readonly jobId: string;
  readonly described: Described;
}

/**
 * Records a connector's description, which is read once a day, or as a probe of a degraded connection. Answers the milliseconds until the
 * next read; undefined for a connection that is not read any more.
 */
export const recordRailDescription: Command<RecordRailDescriptionInput, number | undefined> = {
  name: "record-rail-description",
  needs: (world, { connectionId }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { connectionId, jobId, described }) {
    const connection = world.get(railConnections.ref(connectionId));
    if (connection.watchJobId !== jobId) {
      world.cancel(jobId);
      return undefined;
    }
    if (!described.ok) {
      const { reason: message } = described;
      const failed = { kind: "failed", code: "DESCRIBE", message, isFatal: false } as const;
      const noted = noteExchange(world, connection, failed);
      return noted.watchJobId === jobId ? PROBED_EVERY_MS : undefined;
    }
    const noted = noteExchange(world, connection, { kind: "good" });
    const told = toldOf(connection, described);
    const changed = putConnection(
      world,
      withFeed(world, { ...noted, ...told, describedAt: world.at }),
    );
    if (routedBy(told) !== routedBy(noted)) putRoutingOf(world, changed);
    return DESCRIBED_EVERY_MS;
  },
};

/** The parts of a description that the routing row holds. */
function routedBy({
  capabilities,
  settlement,
}: Pick<RailConnection, "capabilities" | "settlement">): string {
  return JSON.stringify([capabilities, settlement]);
}
