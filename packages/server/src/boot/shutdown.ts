/**
 * Stops a server within ten seconds, the time after which container runtimes kill it.
 *
 * 1. Drain: no new requests, deliveries or jobs, except the jobs of the last requests. What is under way may finish within the
 *    limit; then connections are cut and deliveries store their position.
 * 2. The engine commits the commands that it holds.
 * 3. Connections are closed and the embedded PostgreSQL is stopped.
 *
 * Work that does not finish in time is abandoned as in a crash: leases expire and another server continues, deliveries are
 * repeated, callers without an answer retry under their idempotency keys. Every answered request is committed.
 */
import type { RailNonces } from "../domain/rails/connections/nonces.sql.ts";
import type { Engine } from "../engine/engine.ts";
import type { FollowerLoop } from "../followers/follow-log.ts";
import type { HttpServer } from "../http/server/server.ts";
import type { JobWorker } from "../jobs/due-jobs.ts";
import type { AttemptLogWriter } from "../jobs/events/attempt-log-writer.ts";
import type { SessionUses } from "../jobs/people/session-uses.ts";
import type { TokenUses } from "../jobs/people/token-uses.ts";
import type { RequestLogWriter } from "../jobs/reading/request-log-writer.ts";
import type { Sweeper } from "../jobs/sweep.ts";
import type { ApprovalCalls } from "../jobs/uma/approval-calls.ts";
import type { OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import { type Clock, within } from "../std/clock.ts";
import type { DeliveryWorker } from "../webhooks/deliver-webhooks.ts";
import type { OpenStore } from "./open-database.ts";
import type { System } from "./system/system.ts";
import type { UmaExchanges } from "./uma/uma-exchanges.ts";
import type { UmaNoteWriter } from "./uma/uma-notes.ts";

export interface StoppableApp {
  readonly clock: Clock;
  readonly http: HttpServer;
  readonly jobs: JobWorker;
  readonly approvals: ApprovalCalls;
  readonly deliveries: DeliveryWorker;
  readonly sweeper: Sweeper;
  readonly rollups: Pick<FollowerLoop, "stop">;
  readonly system: Pick<System, "stop">;
  readonly engine: Engine;
  readonly files: SealedFiles;
  readonly outbound: OutboundClient;
  readonly railNonces: Pick<RailNonces, "close">;
  readonly umaExchanges: Pick<UmaExchanges, "close">;
  readonly requestLog: Pick<RequestLogWriter, "close"> | undefined;
  readonly attemptLog: Pick<AttemptLogWriter, "close">;
  readonly searchIndex: Pick<FollowerLoop, "stop">;
  readonly tokenUses: Pick<TokenUses, "flush">;
  readonly sessionUses: Pick<SessionUses, "flush">;
  readonly umaNotes: Pick<UmaNoteWriter, "settled" | "close">;
  readonly store: OpenStore;
}

/**
 * Limits from the beginning of the stop. The last second before a container is killed is for a PostgreSQL that has to be
 * killed.
 */
const CUT_OFF_MS = 6_500;
const UNDERWAY_MS = 7_000;
const ENGINE_MS = 7_800;
const ALL_MS = 9_000;

export async function stopApp(app: StoppableApp): Promise<void> {
  const { clock, http, jobs, approvals, deliveries, sweeper, store } = app;
  const began = clock.now();
  const leftMs = (untilMs: number) => Math.max(0, began + untilMs - clock.now());
  const until = (untilMs: number, work: Promise<unknown>): Promise<unknown> =>
    within(work, { clock, limitMs: leftMs(untilMs), late: () => undefined });
  const callers = http.close(CUT_OFF_MS);
  const questions = jobs.stop(callers).then(() => approvals.settled());
  const underway = Promise.all([
    callers,
    questions,
    deliveries.stop(CUT_OFF_MS, questions),
    sweeper.stop(),
    app.rollups.stop(),
    app.system.stop(),
    app.searchIndex.stop(),
    callers.then(() => app.umaNotes.settled()),
  ]);
  try {
    await until(UNDERWAY_MS, underway);
    const { engine, files, outbound, requestLog, attemptLog, tokenUses, sessionUses } = app;
    const logs = [requestLog?.close(), attemptLog.close(), tokenUses.flush(), sessionUses.flush()];
    logs.push(app.umaNotes.close());
    const lanes = [app.railNonces.close(), app.umaExchanges.close()];
    const last = [engine.close(), files.close(), outbound.close(), ...lanes, ...logs];
    await until(ENGINE_MS, Promise.all(last));
  } finally {
    await store.close(leftMs(ALL_MS));
  }
}
