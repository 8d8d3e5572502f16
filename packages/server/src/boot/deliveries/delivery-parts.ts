/** The delivery worker and the log of its attempts, for the thread that runs them. */

import type { FailingEndpoint } from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import type { RecentTraces } from "../../engine/recent-traces.ts";
import {
  type AttemptLogWriter,
  createAttemptLogWriter,
} from "../../jobs/events/attempt-log-writer.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import type { Database } from "../../postgres/database.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import { createDeliveryWorker, type DeliveryWorker } from "../../webhooks/deliver-webhooks.ts";
import { createFailedAttemptLog } from "../../webhooks/failed-attempt-log.ts";
import type { OpenStore } from "../open-database.ts";
import { allowsLoopback } from "../wallet-services.ts";

export interface DeliveryTools extends Pick<OpenStore, "loopbackPolicy"> {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundClient;
  readonly traces: RecentTraces;
  readonly onLongFailing: (endpoint: FailingEndpoint) => void;
}

export interface DeliveryParts {
  readonly deliveries: DeliveryWorker;
  readonly attemptLog: Omit<AttemptLogWriter, "add">;
}

export function createDeliveryParts(tools: DeliveryTools): DeliveryParts {
  const { database, sealer, clock, log, outbound, traces, onLongFailing } = tools;
  const attemptLog = createAttemptLogWriter({ database, clock, log, onLongFailing });
  const deliveries = createDeliveryWorker({
    database,
    clock,
    log,
    outbound,
    sealer,
    allowsLoopback: (environment) => allowsLoopback(tools, environment),
    noteFailed: createFailedAttemptLog({ log, clock }),
    attemptLog,
    traceOf: traces.ofEvent,
  });
  return { deliveries, attemptLog };
}
