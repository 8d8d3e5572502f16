/**
 * The embedded database: PostgreSQL from npm, in the data directory, on a private socket.
 *
 * Start, in order: lock the data directory → find the cluster and its owner → make the binaries executable for that account →
 * create the cluster if there is none → create the socket's directory → start PostgreSQL (postmaster.ts). A watchdog then
 * checks every 100 ms that the process lives and its socket exists, and restarts PostgreSQL with backoff. It stops trying only
 * when the directory of the cluster was deleted or replaced.
 *
 * If this process dies, PostgreSQL keeps running and the lock is free; the next start finds it. If PostgreSQL dies,
 * acknowledged commits are in the WAL and recovery replays them. There is no handler at process exit: call `stop` for a clean
 * shutdown.
 */
import { chmod, realpath, rmdir } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { Bug } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { isRoot } from "./account.ts";
import { type Binaries, prepareBinaries } from "./binaries/binaries.ts";
import { locatePackage, refuseWithoutSockets } from "./binaries/platform.ts";
import { DATABASE, ensureCluster, hasCluster, ROLE } from "./cluster.ts";
import { lockDirectory, wasEverLocked } from "./directory-lock.ts";
import { type Location, locateCluster } from "./location.ts";
import type { Site } from "./postmaster.ts";
import { openPrivateDirectory } from "./private-directory.ts";
import { run } from "./run.ts";
import { makeDirectory, shortHash } from "./safe-place.ts";
import { postmasterArgs } from "./settings.ts";
import { type SocketAddress, socketAddress } from "./socket-address.ts";
import { Watch } from "./watch.ts";

export interface EmbeddedPostgres {
  readonly connection: SocketAddress;
  /** The postmaster's process id; undefined while it is down. */
  readonly pid: () => number | undefined;
  /** Stops PostgreSQL, with a checkpoint if the time allows, and releases the lock of the data directory. */
  stop(limitMs?: number): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Settings of PostgreSQL that override the defaults; those that hold durability and access control are refused. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Under root, the directory for clusters and binaries that the account of PostgreSQL cannot use in the data directory. */
  readonly shelters?: string;
  /** Called once when PostgreSQL cannot be restarted, because its directory is gone. Other failures are only logged. */
  readonly onGaveUp?: (error: unknown) => void;
  /** An abort stops a start; the start then fails with the signal's reason, a `StartRefused`. */
  readonly signal?: AbortSignal | undefined;
  /** Refuse when the data directory has no cluster, and create nothing. */
  readonly mustExist?: boolean | undefined;
}

const SHELTERS = "/var/lib/florin";
const STOP_LIMIT_MS = 10_000;

export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  refuseWithoutSockets(process);
  const packageRoot = locatePackage(process);
  try {
    const dataDir = await openDataDir(options.dataDir, options.mustExist === true);
    return await startOn(dataDir, packageRoot, options);
  } catch (error) {
    if (error instanceof StartRefused || error instanceof Bug) throw error;
    throw new StartRefused(`the embedded PostgreSQL did not start: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Mode 0711 under root: the account of PostgreSQL can enter subdirectories and cannot list this one. */
async function openDataDir(path: string, mustExist: boolean): Promise<string> {
  if (mustExist) {
    const found = await realpath(path).catch(() => undefined);
    if (found !== undefined && ((await hasCluster(found)) || (await wasEverLocked(found))))
      return found;
    throw noDatabase(path);
  }
  try {
    if (await makeDirectory(path)) await chmod(path, isRoot() ? 0o711 : 0o700);
    return await realpath(path);
  } catch (error) {
    throw new StartRefused(
      `the data directory ${path} cannot be created (${messageOf(error)}); set DATA_DIR to a directory that this account can write to`,
      { cause: error },
    );
  }
}

function noDatabase(dataDir: string): StartRefused {
  return new StartRefused(
    `there is no database in ${dataDir}: set DATA_DIR to a data directory with a database, or set DATABASE_URL; only \`florin start\`, \`florin migrate\` and \`florin platform create\` create one`,
  );
}

async function startOn(
  dataDir: string,
  packageRoot: string,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const lock = await lockDirectory(dataDir, options.clock);
  try {
    if (options.mustExist === true && !(await hasCluster(dataDir))) throw noDatabase(dataDir);
    const site = await prepareSite(dataDir, packageRoot, options).catch((error: unknown) => {
      // Ctrl-C ends the child programs too: report the abort and not their failure.
      options.signal?.throwIfAborted();
      throw error;
    });
    const watch = await cleanUpOnFailure(site.socketDir, () => Watch.begin(site, options));
    return embeddedPostgres(site, watch, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function prepareSite(
  dataDir: string,
  packageRoot: string,
  options: EmbeddedPostgresOptions,
): Promise<Site> {
  const { clock, log, shelters = SHELTERS, signal } = options;
  const location = await locateCluster({ dataDir, shelters, clock, log });
  const { account, cluster } = location;
  const homes = account === undefined ? [dataDir, tmpdir()] : [shelters, dataDir, tmpdir(), "/tmp"];
  const binaries = await prepareBinaries({ packageRoot, account, homes, clock, log });
  signal?.throwIfAborted();
  await ensureCluster({ location, binaries, clock, log });
  const hasLz4 = await supportsLz4(location, binaries, clock);
  const socketDir = await openPrivateDirectory({ dataDir, account, clock });
  const clusterName = `florin-${shortHash(dataDir)}`;
  const args = await cleanUpOnFailure(socketDir, async () =>
    postmasterArgs({
      cluster,
      clusterName,
      socketDir,
      platform: process.platform,
      hasLz4,
      memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
      chosen: options.settings ?? {},
    }),
  );
  const logFile = join(dataDir, "postgres.log");
  return { cluster, clusterName, socketDir, account, binaries, args, logFile, clock, log };
}

/** Deletes the socket's directory after a failed start; `rmdir` fails while a PostgreSQL has its socket there. */
async function cleanUpOnFailure<T>(socketDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rmdir(socketDir).catch(() => undefined);
    throw error;
  }
}

/** Not every build of PostgreSQL includes lz4. */
async function supportsLz4(
  { cluster, account }: Location,
  binaries: Binaries,
  clock: Clock,
): Promise<boolean> {
  const args = ["-D", cluster, "-C", "wal_compression", "-c", "wal_compression=lz4"];
  const { code } = await run({ program: binaries.postgres, args, account, clock, limitMs: 20_000 });
  return code === 0;
}

function embeddedPostgres(
  site: Site,
  watch: Watch,
  release: () => Promise<void>,
): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  const stop = async (limitMs: number) => {
    try {
      await watch.stop(limitMs);
      await rmdir(site.socketDir).catch(() => undefined);
    } finally {
      await release();
    }
  };
  return {
    connection: socketAddress(site.socketDir, { user: ROLE, database: DATABASE }),
    pid: () => watch.pid,
    stop(limitMs = STOP_LIMIT_MS) {
      stopped ??= stop(limitMs);
      return stopped;
    },
  };
}
