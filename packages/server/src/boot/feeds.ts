/** The parts that follow the commits of all servers: event and live streams, the sums of the overview and the search index. */
import type { WrittenCommit } from "../engine/engine.ts";
import type { FollowerLoop } from "../followers/follow-log.ts";
import type { Metrics } from "../http/server/metrics.ts";
import { createRollupFollower } from "../jobs/reading/rollup-follower.ts";
import { createSearchFollower } from "../jobs/reading/search-follower.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import { createEventFeed, type EventFeedWorker } from "../webhooks/event-feed.ts";
import { createHeadWatch, type HeadWatcher } from "../webhooks/live/head-watch.ts";
import { createLiveFeed, type LiveFeedWorker } from "../webhooks/live/live-feed.ts";
import type { OpenStore } from "./open-database.ts";

export interface Feeds {
  readonly heads: HeadWatcher;
  readonly eventFeed: EventFeedWorker;
  readonly live: LiveFeedWorker;
  readonly rollups: FollowerLoop<WrittenCommit>;
  readonly searchIndex: FollowerLoop<WrittenCommit>;
}

export function feedsOn(
  { database, sealer }: OpenStore,
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics },
): Feeds {
  const { reads } = database;
  const heads = createHeadWatch({ reads, clock, log });
  const live = createLiveFeed({ reads, clock, log, heads });
  metrics.gauge(
    "florin_live_streams",
    "Live streams of the console that are open at this server.",
    live.openStreams,
  );
  const rollups = createRollupFollower({ database, clock, log });
  metrics.counter(
    "florin_overview_failures_total",
    "Attempts to bring the sums of the overview up to date that failed.",
    () => rollups.failed(),
  );
  return {
    heads,
    eventFeed: createEventFeed({ reads, sealer, clock, heads }),
    live,
    rollups,
    searchIndex: createSearchFollower({ database, clock, log }),
  };
}
