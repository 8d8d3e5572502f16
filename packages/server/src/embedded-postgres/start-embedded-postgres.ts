/**
 * The database that comes with Florin: PostgreSQL from npm, in the data directory, on a socket that only we can reach.
 *
 * Start, in order: lock the data directory; find where the cluster lies and whose it is; make the programs runnable for
 * that account; make the cluster if there is none; open the socket's directory; bring PostgreSQL up (postmaster.ts). From
 * then on a watch looks every tenth of a second whether it lives and its socket is there, and brings it up again when not:
 * at once, then after growing pauses, for as long as it takes. Only when the database's directory is gone does it give up.
 *
 * If this process dies, PostgreSQL goes on without it and the lock is free: the next start finds it. If PostgreSQL dies,
 * what was acknowledged is in its log, and recovery brings it back. Nothing here runs at process exit; a caller that wants a
 * clean end calls `stop`.
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
  /** Ends PostgreSQL, in order if there is time for it, and then frees the data directory. */
  stop(limitMs?: number): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Settings of PostgreSQL that replace ours; those that durability and privacy rest on are refused. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where things go that cannot be in the data directory when we are root. */
  readonly shelters?: string;
  /** Called once when PostgreSQL cannot be restarted, because its directory is gone. Other failures are only logged. */
  readonly onGaveUp?: (error: unknown) => void;
  /** When it is aborted, a start ends what it has begun and fails with the signal's reason, a `StartRefused`. */
  readonly signal?: AbortSignal | undefined;
  /** Without a cluster in the data directory it refuses, and makes nothing there. */
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

/** When we are root, the account that PostgreSQL runs under must pass through; it can list and read nothing. */
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
      `the data directory ${path} cannot be made (${messageOf(error)}); set DATA_DIR to one that this account can write to`,
      { cause: error },
    );
  }
}

function noDatabase(dataDir: string): StartRefused {
  return new StartRefused(
    `there is no database in ${dataDir}: set DATA_DIR to the directory of one, or DATABASE_URL; only \`florin start\`, \`florin migrate\` and \`florin platform create\` make one`,
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
      // A Ctrl-C reaches the programs that were under way too: that they failed is of no interest then.
      options.signal?.throwIfAborted();
      throw error;
    });
    const watch = await orWithout(site.socketDir, () => Watch.begin(site, options));
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
  const hasLz4 = await knowsLz4(location, binaries, clock);
  const socketDir = await openPrivateDirectory({ dataDir, account, clock });
  const clusterName = `florin-${shortHash(dataDir)}`;
  const args = await orWithout(socketDir, async () =>
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

/** A start that fails leaves no directory of the socket behind; one that a PostgreSQL still uses is not empty, and stays. */
async function orWithout<T>(socketDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rmdir(socketDir).catch(() => undefined);
    throw error;
  }
}

/** Not every build has the compression that is worth its time. */
async function knowsLz4(
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
