/** What a server does for the operators of its deployment: its row among the servers, checks of the books, new tenants. */

import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { type Config, describeSettings } from "../../config.ts";
import { findLink, hasOwner } from "../../domain/people/person.sql.ts";
import { hashLinkCode } from "../../domain/people/person-link.ts";
import { issueStartLink } from "../../domain/people/start-link.ts";
import { createWorkspace } from "../../domain/people/workspaces/workspace.ts";
import { findPlatform } from "../../domain/platform.sql.ts";
import type { ServerFigures } from "../../domain/platforms/system/servers.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { SystemServices } from "../../http/console/system-services.ts";
import type { JobWorker } from "../../jobs/due-jobs.ts";
import { createServerNotes, type ServerNotes } from "../../jobs/platforms/server-notes.ts";
import { createVerifyWorker, type VerifyWorker } from "../../jobs/platforms/verify-worker.ts";
import type { Clock } from "../../std/clock.ts";
import { Fault, messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import { makePlatform } from "../first-platform.ts";
import type { OpenStore } from "../open-database.ts";
import { approvalChecks } from "../people/approval-checks.ts";
import { readinessOf } from "../readiness.ts";
import { VERSION } from "../version.ts";
import { createStartFaults } from "./start-faults.ts";

export interface System {
  readonly services: SystemServices;
  readonly verify: VerifyWorker;
  readonly notes: ServerNotes;
  /** Registers this server under its host name and port; with the console, also starts the checks of the books. */
  start(port: number): void;
  stop(): Promise<void>;
}

interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly engine: Engine;
  readonly jobs: Pick<JobWorker, "underway" | "failing">;
}

export function systemOn(store: OpenStore, parts: Parts): System {
  const { clock, log, config } = parts;
  const { database, dataSealer, sealer } = store;
  const verify = createVerifyWorker({
    database,
    sealer: dataSealer,
    approvals: approvalChecks(sealer),
    clock,
    log,
  });
  const notes = createServerNotes({
    database,
    clock,
    log,
    version: VERSION,
    figures: () => figuresOf(store, parts),
  });
  return {
    verify,
    notes,
    services: {
      serverId: notes.id,
      beginVerify: verify.begin,
      cancelVerify: verify.cancel,
      settings: () => settingsInEffect(),
      startFaults: createStartFaults(database, { clock, log }),
      ...tenantMakers(store, parts),
    },
    start(port) {
      notes.start(`${hostname()}:${port}`);
      if (config.CONSOLE === "on") verify.start();
    },
    async stop() {
      await Promise.all([verify.stop(), notes.stop()]);
    },
  };
}

function settingsInEffect() {
  return describeSettings().map(({ name, meaning, fallback, value }) => ({
    name,
    meaning,
    value,
    isSet: value !== fallback,
  }));
}

async function figuresOf(store: OpenStore, parts: Parts): Promise<ServerFigures> {
  const { engine, jobs, config } = parts;
  const { database, schemaVersion } = store;
  const isReady = readinessOf({ reads: database.gateReads, engine, schemaVersion });
  return {
    notReadyBecause: await isReady().then(() => null, messageOf),
    lanes: config.ENGINE_LANES,
    queued: engine.gauges.queued(),
    commits: engine.gauges.commitTimes(),
    connections: database.connections(),
    jobsUnderway: jobs.underway(),
    failingJobs: jobs.failing().jobs,
    disk: config.DATABASE_URL === undefined ? await diskOf(config.DATA_DIR) : null,
  };
}

async function diskOf(directory: string): Promise<ServerFigures["disk"]> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

function tenantMakers(
  store: OpenStore,
  { engine, clock }: Parts,
): Pick<SystemServices, "makePlatform" | "makeWorkspace"> {
  const { reads } = store.database;
  return {
    async makeWorkspace({ id, name, code }, by) {
      await engine.openPlatform(id);
      const here = { platformId: id, ...by, toAnswer: () => ({ status: 201, body: "" }) };
      // A refusal means that an earlier call has created the workspace.
      await engine.submit({ ...here, command: createWorkspace, input: { name } });
      const codeHash = hashLinkCode(code);
      if ((await findLink(reads, codeHash)) !== undefined || (await hasOwner(reads, id))) return;
      const input = { codeHash, makesOperator: false };
      const { status } = await engine.submit({ ...here, command: issueStartLink, input });
      if (status !== 201) throw new Fault("the link of the new workspace was not issued");
    },
    async makePlatform({ id: platformId, ...wish }, by) {
      if ((await findPlatform(reads, platformId)) !== undefined) return true;
      const tools = { engine, sealer: store.sealer, clock };
      return (await makePlatform(tools, { ...wish, platformId, by })) !== undefined;
    },
  };
}
