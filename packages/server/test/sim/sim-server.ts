/** A server of the simulation: engine and job worker with their own connections, which can be cut as by a host failure. */

import { constraintRefusals } from "../../src/domain/constraints.ts";
import { createEngine, type Engine, engineDefaults } from "../../src/engine/engine.ts";
import { enginePorts } from "../../src/engine-ports.ts";
import { agentJobRunners } from "../../src/jobs/agents/agent-jobs.ts";
import { customerJobRunners } from "../../src/jobs/customers/customer-jobs.ts";
import { createJobWorker, type JobWorker } from "../../src/jobs/due-jobs.ts";
import { runnersByKind } from "../../src/jobs/job-runners.ts";
import { createJobStore } from "../../src/jobs/job-store.ts";
import { batchJobRunners } from "../../src/jobs/payments/batch-jobs.ts";
import { holdJobRunners } from "../../src/jobs/payments/hold-jobs.ts";
import { quoteJobRunners } from "../../src/jobs/payments/quote-jobs.ts";
import { scheduleJobRunners } from "../../src/jobs/payments/schedule-jobs.ts";
import { railJobRunners } from "../../src/jobs/rails/rail-jobs.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import type { Clock } from "../../src/std/clock.ts";
import { type Log, silentLog } from "../../src/std/log.ts";
import { eventJson } from "../../src/wire/events/event-contents.ts";
import { testSealer } from "../kit/bookkeeping.ts";
import { proxyTo } from "../kit/database-proxy.ts";
import { sandboxRails } from "../kit/rails.ts";
import type { TestDatabase } from "../kit/test-database.ts";
import type { BatchGate } from "./batch-gate.ts";
import type { ChanceRail } from "./chance-rail.ts";

export interface SimServer {
  readonly engine: Engine;
  readonly jobs: JobWorker;
  readonly isDead: boolean;
  /** The last failures of jobs, oldest first. */
  readonly failures: readonly string[];
  /** Closes all connections; the server may open new ones. */
  dropConnections(): void;
  /** Stops the server in the middle of its work. */
  die(): void;
  stop(): Promise<void>;
}

export const LEASE_MS = 5_000;
const PATIENCE_MS = 3_600_000;
const KEPT_FAILURES = 20;

export async function startSimServer(parts: {
  readonly place: TestDatabase;
  readonly clock: Clock;
  readonly rail: ChanceRail;
  readonly gate: BatchGate;
}): Promise<SimServer> {
  const { place, clock, rail, gate } = parts;
  const proxy = await proxyTo(place.address);
  const database = openDatabase({ address: proxy.address, log: silentLog });
  const life = { isDead: false };
  const failures: string[] = [];
  const log: Log = {
    ...silentLog,
    warn({ kind, err, job }, message) {
      failures.push(`${message}: ${kind} ${job} ${err}`);
      if (failures.length > KEPT_FAILURES) failures.shift();
    },
  };
  const engine = createEngine({
    ...engineDefaults,
    database,
    clock,
    log: silentLog,
    sealer: testSealer,
    renderEvent: eventJson,
    ports: enginePorts(),
    renderRefusal: ({ code, status, details }) => ({
      status,
      body: JSON.stringify({ code, rule: details?.rule, place: details?.leg ?? details?.index }),
    }),
    constraintRefusals,
    batchMax: 8,
    rowCapacity: 60,
    jobLeaseMs: LEASE_MS,
    patienceMs: PATIENCE_MS,
  });
  const gated: Pick<Engine, "submit" | "hadCallers"> = {
    submit: (submission) => gate.pass(life, () => engine.submit(submission)),
    // The smaller groups: a batch takes several commands.
    hadCallers: () => true,
  };
  const jobs = createJobWorker({
    store: createJobStore(database),
    clock,
    log,
    runners: runnersByKind({
      ...railJobRunners({
        engine,
        rails: { simulated: rail.seenBy(life) },
        umaNetwork: () => rail.seenBy(life),
      }),
      ...quoteJobRunners(engine),
      ...holdJobRunners(engine),
      ...scheduleJobRunners({ engine: gated, rails: sandboxRails }),
      ...batchJobRunners({ engine: gated, reads: database.reads, rails: sandboxRails, clock }),
      ...agentJobRunners({ engine }),
      ...customerJobRunners({ engine, reads: database.reads }),
    }),
    leaseMs: LEASE_MS,
    pollMs: 250,
    maxUnderway: 16,
  });
  engine.onCommitted({
    dueJobs: (due) => {
      if (!life.isDead) jobs.hint(due);
    },
    newEvents: () => undefined,
  });
  return {
    engine,
    jobs,
    failures,
    get isDead() {
      return life.isDead;
    },
    dropConnections: () => proxy.drop(),
    die() {
      life.isDead = true;
      proxy.cut();
      // Not awaited: work in flight of a dead server never ends.
      void jobs.stop();
      void database.close();
    },
    async stop() {
      if (life.isDead) return;
      await jobs.stop();
      await engine.close();
      await database.close();
      proxy.cut();
    },
  };
}
