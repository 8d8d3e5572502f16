/** The feed of a connector: its entries, read page by page while the connection has the setting `feed`. */
import type { World } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { RailConnection } from "./rail-connection.ts";

const POLL_SECONDS_DEFAULT = 300;

export function feedPollMs({ settings }: Pick<RailConnection, "settings">): number {
  return (settings.pollSeconds ?? POLL_SECONDS_DEFAULT) * 1_000;
}

/** False in SETUP, which allows no calls; for an archived connection, which has no secrets; and if the connector dropped its feed. */
export function isFeedRead({ settings, status, features }: RailConnection): boolean {
  const isThere = settings.feed === true && features?.feed !== false;
  return isThere && status !== "SETUP" && status !== "ARCHIVED";
}

/** The connection with the job that reads its feed, or without one. */
export function withFeed(world: World, connection: RailConnection): RailConnection {
  const { id, feedJobId } = connection;
  if (isFeedRead(connection)) {
    if (feedJobId !== null) return connection;
    const payload = { connectionId: id };
    const job = scheduleJob(world, { kind: "read-rail-feed", payload, dueAt: world.at });
    return { ...connection, feedJobId: job };
  }
  if (feedJobId !== null) world.cancel(feedJobId);
  return feedJobId === null ? connection : { ...connection, feedJobId: null };
}
