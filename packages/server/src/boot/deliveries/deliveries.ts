/** Deliveries of a server: on a thread of their own, or on this one. */

import type { FailingEndpoint } from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import type { CommitListener } from "../../engine/engine.ts";
import { createRecentTraces, type RecentTraces } from "../../engine/recent-traces.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import type { OpenStore } from "../open-database.ts";
import { createDeliveryParts, type DeliveryParts } from "./delivery-parts.ts";
import { createDeliveryThread } from "./delivery-thread.ts";

export interface Deliveries extends DeliveryParts {
  /** Receives the traces of commits. */
  readonly traced: NonNullable<CommitListener["traced"]>;
  readonly ofJob: RecentTraces["ofJob"];
  /** The number of delivery threads that were started in place of a failed one. */
  readonly threadRestarts: () => number;
}

interface Surroundings {
  readonly hasThread: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundClient;
  readonly onLongFailing: (endpoint: FailingEndpoint) => void;
}

export function deliveriesOn(
  store: OpenStore,
  { hasThread, outbound, ...rest }: Surroundings,
): Deliveries {
  const traces = createRecentTraces();
  const { ofJob } = traces;
  if (!hasThread) {
    const { database, sealer, loopbackPolicy } = store;
    const tools = { database, sealer, loopbackPolicy, outbound, traces, ...rest };
    return {
      ...createDeliveryParts(tools),
      traced: traces.keep,
      ofJob,
      threadRestarts: () => 0,
    };
  }
  const { address, sealingKeys, loopbackPolicy } = store;
  const settings = { address, sealingKeys, loopbackPolicy };
  const { deliveries, attemptLog, traced, restarts } = createDeliveryThread({ settings, ...rest });
  return {
    deliveries,
    attemptLog,
    traced(platformId, effects) {
      traces.keep(platformId, effects);
      traced(platformId, effects);
    },
    ofJob,
    threadRestarts: restarts,
  };
}
