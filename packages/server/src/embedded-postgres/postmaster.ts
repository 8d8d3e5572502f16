/**
 * Finds, starts and stops the postmaster of one cluster. Only the holder of the data directory's lock uses this module, so no
 * other process starts or stops PostgreSQL at the same time.
 *
 * Start, in order:
 * 1. Reuse a postmaster that survived the last server, if it has the same command line and version and answers. Otherwise
 *    stop it. A postmaster whose socket was deleted is stopped too, because it does not create another one.
 * 2. Stop orphaned children of a killed postmaster: they hold its shared memory, and PostgreSQL does not start beside them.
 *    Their commits are in the WAL.
 * 3. Without a process of the cluster the pid file is stale, so delete it with the socket and its lock file. PostgreSQL
 *    deletes it only if no process has that pid; the pid may be reused, or belong to a zombie. If an orphan was missed,
 *    PostgreSQL refuses to start because its shared memory is in use.
 * 4. Create the socket's directory if it is missing, start, and poll until the server answers with this cluster. Crash
 *    recovery may take long.
 *
 * If this process dies before 4, nothing runs; during 4, the postmaster continues and step 1 of the next start finds it. The
 * postmaster runs in a session of its own, so that Ctrl-C does not stop it before the server has drained.
 */
import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, pause } from "../std/clock.ts";
import { Fault, StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { type Account, ownUid } from "./account.ts";
import type { Binaries } from "./binaries/binaries.ts";
import { checkServer } from "./check-server.ts";
import { lastComplaints, logSize, openLogFile } from "./log-file.ts";
import { readIfThere, readPidFile } from "./pid-file.ts";
import { reopenPrivateDirectory } from "./private-directory.ts";
import { clusterProcesses, isAlive, signal, waitGone } from "./processes.ts";
import { spawnOptions } from "./run.ts";
import { SOCKET_PORT } from "./settings.ts";

/** The parameters of the postmaster; constant while the lock is held. */
export interface Site {
  readonly cluster: string;
  readonly clusterName: string;
  readonly socketDir: string;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly clock: Clock;
  readonly log: Log;
}

const POLL_MS = 20;
/** Recovery replays a few gigabytes of WAL at most. A postmaster that takes longer counts as `mute`. */
const RECOVERY_LIMIT_MS = 15 * 60_000;
const RECOVERY_NOTICE_MS = 10_000;
const MUTE_TIMES = 3;
const ORPHAN_GRACE_MS = 500;
const STOP_LIMIT_MS = 9_500;
/** The part of the stop time that is reserved for an immediate shutdown. */
const IMMEDIATE_SHARE = 1 / 6;
const LEAST_STOP_LIMIT_MS = 300;
const KILL_LIMIT_MS = 5_000;

/** Starts PostgreSQL and returns its pid, or undefined when `isWanted` became false. */
export async function bringUp(site: Site, isWanted: () => boolean): Promise<number | undefined> {
  const survivor = await findPostmaster(site);
  if (survivor !== undefined) {
    const readiness = (await hasSameCommandLine(site))
      ? await waitReady(site, survivor, isWanted)
      : "other";
    if (readiness === "unwanted") return undefined;
    if (readiness === "ready") {
      site.log.info({ pid: survivor }, "PostgreSQL was still running; using it");
      return survivor;
    }
    site.log.warn({ pid: survivor, readiness }, "PostgreSQL was still running but cannot be used");
    await endPostmaster(site, survivor, { isMute: readiness === "mute" });
  }
  await endOrphans(site);
  await removeStaleFiles(site);
  if (!isWanted()) return undefined;
  return launch(site, isWanted);
}

export function hasSocket(site: Site): boolean {
  try {
    return lstatSync(socketOf(site)).uid === (site.account?.uid ?? ownUid());
  } catch {
    return false;
  }
}

function socketOf({ socketDir }: Site): string {
  return join(socketDir, `.s.PGSQL.${SOCKET_PORT}`);
}

/** The running postmaster of this cluster, also one that another process started. */
async function findPostmaster(site: Site): Promise<number | undefined> {
  const file = await readPidFile(site.cluster);
  if (file === undefined) return undefined;
  const processes = await clusterProcesses(site, site.clock);
  if (!processes.includes(file.pid)) return undefined;
  if (file.isSingleUser) {
    throw new StartRefused(
      `a single-user PostgreSQL (process ${file.pid}) uses ${site.cluster}; end it first`,
    );
  }
  return file.pid;
}

async function hasSameCommandLine(site: Site): Promise<boolean> {
  const written = await readIfThere(join(site.cluster, "postmaster.opts"));
  return written?.endsWith(`${site.args.map((arg) => ` "${arg}"`).join("")}\n`) === true;
}

/**
 * `other`: it serves another cluster or has another version. `mute`: it does not answer, or exceeds the limit of recovery.
 * `unreachable`: its socket was deleted.
 */
type Readiness = "ready" | "dead" | "other" | "mute" | "unreachable" | "unwanted";

async function waitReady(site: Site, pid: number, isWanted: () => boolean): Promise<Readiness> {
  const began = site.clock.now();
  let noticeMs = RECOVERY_NOTICE_MS;
  let muteTimes = 0;
  while (isAlive(pid)) {
    if (!isWanted()) return "unwanted";
    const waitedMs = site.clock.now() - began;
    if (waitedMs > RECOVERY_LIMIT_MS) return "mute";
    if (waitedMs > noticeMs) {
      site.log.info({ pid, waitedMs }, "PostgreSQL is recovering");
      noticeMs += RECOVERY_NOTICE_MS;
    }
    const file = await readPidFile(site.cluster);
    if (file?.pid === pid && file.isReady) {
      if (!hasSocket(site)) return "unreachable";
      const reply = await checkServer(site.socketDir);
      if (reply.kind === "open") return servesCluster(site, reply) ? "ready" : "other";
      if (reply.kind === "mute" && ++muteTimes >= MUTE_TIMES) return "mute";
    }
    await pause(site.clock, POLL_MS);
  }
  return "dead";
}

function servesCluster(site: Site, reply: { cluster: string; version: string }): boolean {
  return reply.cluster === site.cluster && reply.version.split(" ")[0] === site.binaries.version;
}

const FAILURE_TEXT = {
  dead: "ended while starting",
  other: "is not the one that was started",
  mute: "does not answer",
  unreachable: "has lost its socket",
} as const;

async function launch(site: Site, isWanted: () => boolean): Promise<number | undefined> {
  const logStart = await logSize(site.logFile);
  await reopenPrivateDirectory(site.socketDir, site.account);
  const pid = await spawnPostmaster(site);
  const readiness = await waitReady(site, pid, isWanted);
  if (readiness === "ready") {
    site.log.info({ pid, cluster: site.cluster }, "PostgreSQL started");
    return pid;
  }
  await endPostmaster(site, pid);
  if (readiness === "unwanted") return undefined;
  const said = (await lastComplaints(site.logFile, logStart)) || (await freeSpaceMessage(site));
  throw new Fault(`PostgreSQL ${FAILURE_TEXT[readiness]}: ${said}`);
}

/** The message when the log has no error: on a full disk PostgreSQL cannot write one. */
async function freeSpaceMessage({ cluster, logFile }: Site): Promise<string> {
  const { bavail, bsize } = await statfs(cluster);
  const megabytes = Math.floor((bavail * bsize) / 1024 ** 2);
  return `${logFile} does not say why; the disk of ${cluster} has ${megabytes} MB left`;
}

async function spawnPostmaster(site: Site): Promise<number> {
  const output = await openLogFile(site.logFile);
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(site.binaries.postgres, site.args, {
        ...spawnOptions(site.account),
        detached: true,
        stdio: ["ignore", output.fd, output.fd],
      });
      child.on("error", (error) =>
        reject(new Fault("PostgreSQL could not be started", { cause: error })),
      );
      child.unref();
      const { pid } = child;
      if (pid !== undefined) resolve(pid);
    });
  } finally {
    await output.close();
  }
}

/** Stops all processes of this cluster. Throws when one cannot be stopped. */
export async function bringDown(site: Site, limitMs: number): Promise<void> {
  const postmaster = await findPostmaster(site);
  if (postmaster !== undefined) await endPostmaster(site, postmaster, { limitMs });
  await endOrphans(site);
  await removeStaleFiles(site);
}

/** Escalates: fast shutdown (with a checkpoint), immediate shutdown (the next start recovers), SIGKILL. */
async function endPostmaster(
  site: Site,
  pid: number,
  { isMute = false, limitMs = STOP_LIMIT_MS }: { isMute?: boolean; limitMs?: number } = {},
): Promise<void> {
  const inTimeMs = Math.max(limitMs, LEAST_STOP_LIMIT_MS);
  const immediateMs = inTimeMs * IMMEDIATE_SHARE;
  const stops = [
    ["SIGINT", inTimeMs - immediateMs],
    ["SIGQUIT", immediateMs],
    ["SIGKILL", KILL_LIMIT_MS],
  ] as const;
  for (const [name, patienceMs] of isMute ? stops.slice(1) : stops) {
    if (!isAlive(pid) || !signal(pid, name)) return;
    if (await waitGone([pid], { clock: site.clock, limitMs: patienceMs })) return;
    site.log.warn({ pid, signal: name, patienceMs }, "PostgreSQL did not end in time");
  }
  throw new Fault(`PostgreSQL (process ${pid}) cannot be ended`);
}

async function endOrphans(site: Site): Promise<void> {
  const orphans = await clusterProcesses(site, site.clock);
  if (orphans.length === 0) return;
  for (const pid of orphans) signal(pid, "SIGQUIT");
  if (await waitGone(orphans, { clock: site.clock, limitMs: ORPHAN_GRACE_MS })) return;
  const stubborn = await clusterProcesses(site, site.clock);
  for (const pid of stubborn) signal(pid, "SIGKILL");
  if (await waitGone(stubborn, { clock: site.clock, limitMs: KILL_LIMIT_MS })) return;
  throw new Fault(`processes ${stubborn.join(", ")} of a dead PostgreSQL cannot be ended`);
}

async function removeStaleFiles(site: Site): Promise<void> {
  if ((await clusterProcesses(site, site.clock)).length > 0) return;
  const socket = socketOf(site);
  for (const path of [join(site.cluster, "postmaster.pid"), socket, `${socket}.lock`]) {
    await rm(path, { force: true });
  }
}
