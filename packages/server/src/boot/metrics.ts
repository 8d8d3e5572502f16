import type { Engine } from "../engine/engine.ts";
import type { Metrics } from "../http/server/metrics.ts";
import type { JobWorker } from "../jobs/due-jobs.ts";
import type { AttemptLogWriter } from "../jobs/events/attempt-log-writer.ts";
import type { RequestLogWriter } from "../jobs/reading/request-log-writer.ts";
import type { Reads } from "../postgres/database.ts";
import type { Clock } from "../std/clock.ts";
import type { DeliveryWorker } from "../webhooks/deliver-webhooks.ts";
import type { Deliveries } from "./deliveries/deliveries.ts";
import type { RailServices } from "./rail-services.ts";
import { registerStandingFigures } from "./standing-figures.ts";

/** Registers the figures of engine, jobs and deliveries, and those of open work. */
export function registerFigures(
  metrics: Metrics,
  parts: {
    readonly engine: Pick<Engine, "gauges">;
    readonly jobs: Pick<JobWorker, "underway" | "refused" | "failing">;
    readonly deliveries: Pick<DeliveryWorker, "gauges">;
    readonly requestLog: Pick<RequestLogWriter, "dropped"> | undefined;
    readonly rails: Pick<RailServices, "exchangeFailures">;
    readonly reads: Reads;
    readonly clock: Clock;
    readonly delivering: Pick<Deliveries, "threadRestarts"> & {
      readonly attemptLog: Pick<AttemptLogWriter, "dropped">;
    };
  },
): void {
  const { gauge, counter } = metrics;
  const { engine, jobs, deliveries, requestLog, delivering } = parts;
  gauge("florin_engine_queued", "Commands that wait for a commit.", engine.gauges.queued);
  gauge(
    "florin_engine_remembered",
    "Rows in memory, with what else takes as much.",
    engine.gauges.cachedRows,
  );
  counter("florin_engine_batches_total", "Batches that were settled.", engine.gauges.batches);
  counter("florin_engine_commands_total", "Commands that were answered.", engine.gauges.commands);
  counter("florin_engine_retries_total", "Batches to be tried again.", engine.gauges.retries);
  gauge("florin_jobs_underway", "Jobs this server has in hand.", jobs.underway);
  gauge(
    "florin_jobs_failing",
    "Jobs that failed ten times in a row on this server, and are tried again.",
    () => jobs.failing().count,
  );
  counter("florin_jobs_refused_total", "Commands of jobs that were refused.", jobs.refused);
  registerExchangeFailures(metrics, parts.rails.exchangeFailures);
  registerStandingFigures(metrics, parts);
  gauge(
    "florin_webhooks_underway",
    "Deliveries that wait for an answer.",
    deliveries.gauges.underway,
  );
  gauge("florin_webhooks_held", "Events in memory, to be delivered.", deliveries.gauges.held);
  gauge(
    "florin_webhooks_endpoints_down",
    "Endpoints to which this server could make no connection lately.",
    deliveries.gauges.down,
  );
  counter("florin_webhooks_attempts_total", "Deliveries tried.", deliveries.gauges.attempts);
  counter("florin_webhooks_delivered_total", "Events delivered.", deliveries.gauges.delivered);
  counter("florin_webhooks_failed_total", "Events given up.", deliveries.gauges.failed);
  counter(
    "florin_request_log_dropped_total",
    "Calls that the request log lost because it was behind or could not be written.",
    () => requestLog?.dropped() ?? 0,
  );
  counter(
    "florin_webhooks_attempts_dropped_total",
    "Attempts that the delivery log lost because it was behind or could not be written.",
    delivering.attemptLog.dropped,
  );
  counter(
    "florin_webhooks_thread_restarts_total",
    "Delivery threads that failed or hung and were started again.",
    delivering.threadRestarts,
  );
}

function registerExchangeFailures(
  metrics: Metrics,
  exchangeFailures: RailServices["exchangeFailures"],
): void {
  metrics.family(
    {
      name: "florin_rail_exchange_failures_total",
      help: "Exchanges with the connector of a rail connection that brought no sound answer.",
      kind: "counter",
      labels: ["connection"],
    },
    async () =>
      [...exchangeFailures].map(([connection, value]) => ({ labels: { connection }, value })),
  );
}
