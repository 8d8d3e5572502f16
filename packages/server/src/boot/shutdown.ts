/**
 * The end of a server: within one limit for all of it, because whoever runs it kills it when that is over.
 *
 * 1. Nothing new is taken, neither requests nor deliveries nor jobs, but for the jobs of the last requests; all that is under
 *    way ends in its own time, but within the same. When that is over, connections are cut and deliveries write down how far they came.
 * 2. The engine commits what it was given before.
 * 3. Connections are given up, and PostgreSQL is brought down.
 *
 * What does not end in its time is left as it is, which is what a crash would do: leases run out and another server goes
 * on, deliveries are repeated, callers without an answer ask again under their keys. What was answered is committed.
 */
import type { Engine } from "../engine/engine.ts";
import type { HttpServer } from "../http/server/server.ts";
import type { ApprovalCalls } from "../jobs/approval-calls.ts";
import type { JobWorker } from "../jobs/due-jobs.ts";
import type { Sweeper } from "../jobs/sweep.ts";
import type { OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import { type Clock, within } from "../std/clock.ts";
import type { DeliveryWorker } from "../webhooks/deliver-webhooks.ts";
import type { OpenStore } from "./open-database.ts";

export interface StoppableApp {
  readonly clock: Clock;
  readonly http: HttpServer;
  readonly jobs: JobWorker;
  readonly approvals: ApprovalCalls;
  readonly deliveries: DeliveryWorker;
  readonly sweeper: Sweeper;
  readonly engine: Engine;
  readonly files: SealedFiles;
  readonly outbound: OutboundClient;
  readonly store: OpenStore;
}

/**
 * Counted from the beginning of the stop. Containers are killed after ten seconds; the last of them is for a PostgreSQL
 * that has to be ended by force.
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
  ]);
  try {
    await until(UNDERWAY_MS, underway);
    const { engine, files, outbound } = app;
    await until(ENGINE_MS, Promise.all([engine.close(), files.close(), outbound.close()]));
  } finally {
    await store.close(leftMs(ALL_MS));
  }
}
