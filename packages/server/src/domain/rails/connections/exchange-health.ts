/**
 * The health of the exchanges with a connector. After five failures in a row, or one that shows that either side rejects the other's
 * signature, the connection is DEGRADED: nothing is sent until one of the probes, one a minute, succeeds.
 */
import type { World } from "../../../engine/command.ts";
import { toIso } from "../../../std/clock.ts";
import { putRoutingOf } from "../routes/routing.ts";
import { scheduleWatch } from "./activate-rail-connection.ts";
import { scheduleQueue } from "./pause-rail-connection.ts";
import { connectionSubject, putConnection, type RailConnection } from "./rail-connection.ts";

export type ExchangeOutcome =
  | { readonly kind: "good" }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      /** A single fatal failure degrades the connection. */
      readonly isFatal: boolean;
    };

const MOST_FAILURES = 5;
export const PROBED_EVERY_MS = 60_000;
/** The shortest time between two notes of a report, so that a busy connection's row is not written for each. */
const REPORT_NOTED_EVERY_MS = 10_000;

/** Updates the connection's health after an exchange. Needs the platform's routing row too. */
export function noteExchange(
  world: World,
  connection: RailConnection,
  outcome: ExchangeOutcome,
): RailConnection {
  return outcome.kind === "good"
    ? noteGood(world, connection)
    : noteFailed(world, connection, outcome);
}

function noteGood(world: World, connection: RailConnection): RailConnection {
  const { status, failures, lastReportAt } = connection;
  const isStale = lastReportAt === null || world.at - lastReportAt >= REPORT_NOTED_EVERY_MS;
  if (status === "DEGRADED") {
    const recovered = putConnection(world, {
      ...connection,
      status: "ACTIVE",
      failures: 0,
      lastReportAt: world.at,
    });
    putRoutingOf(world, recovered);
    scheduleQueue(world, connection.id);
    world.emit("RAIL_CONNECTION.RECOVERED", connectionSubject(recovered));
    return recovered;
  }
  if (failures === 0 && !isStale) return connection;
  return putConnection(world, { ...connection, failures: 0, lastReportAt: world.at });
}

function noteFailed(
  world: World,
  connection: RailConnection,
  { code, message, isFatal }: Extract<ExchangeOutcome, { kind: "failed" }>,
): RailConnection {
  const failures = Math.min(connection.failures + 1, MOST_FAILURES);
  const failed = {
    ...connection,
    failures,
    lastError: { code, message, at: toIso(world.at) },
  };
  const isOver = isFatal || failures >= MOST_FAILURES;
  if (connection.status !== "ACTIVE" || !isOver) return putConnection(world, failed);
  if (connection.watchJobId !== null) world.cancel(connection.watchJobId);
  const degraded = putConnection(world, {
    ...failed,
    status: "DEGRADED",
    watchJobId: scheduleWatch(world, connection.id, PROBED_EVERY_MS),
  });
  putRoutingOf(world, degraded);
  world.emit("RAIL_CONNECTION.DEGRADED", connectionSubject(degraded));
  return degraded;
}
