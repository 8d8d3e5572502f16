/** The sweeper of a server, with the daily checkpoints that it makes. */
import type { Config } from "../../config.ts";
import { sweepCounterpartyCounts } from "../../domain/uma/exchanges/uma-exchange.sql.ts";
import { sweepCounterpartyKeys } from "../../domain/uma/keys/counterparty-key.sql.ts";
import {
  type DailyCheckpointTools,
  makeDailyCheckpoints,
} from "../../jobs/reading/daily-checkpoints.ts";
import { createSweeper, type Sweeper } from "../../jobs/sweep.ts";
import type { Clock } from "../../std/clock.ts";
import type { Log } from "../../std/log.ts";
import type { OpenStore } from "../open-database.ts";

interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

export function sweeperOn(
  { database }: OpenStore,
  { config, clock, log }: Surroundings,
  checkpoints: DailyCheckpointTools,
): Sweeper {
  const { REQUEST_LOG_DAYS: requestLogDays, WEBHOOK_ATTEMPT_DAYS: attemptDays } = config;
  return createSweeper({
    database,
    clock,
    log,
    requestLogDays,
    attemptDays,
    more: [
      [
        "daily checkpoints",
        (lane, isStopped) => makeDailyCheckpoints(lane, checkpoints, isStopped),
      ],
      ["uma_counterparty_counts", (lane) => sweepCounterpartyCounts(lane)],
      ["uma_counterparty_keys", (lane) => sweepCounterpartyKeys(lane, clock.now())],
    ],
  });
}
