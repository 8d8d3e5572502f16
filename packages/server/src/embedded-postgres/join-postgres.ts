/**
 * Connects to the embedded PostgreSQL that another Florin process started. `postmaster.pid` gives the socket, and a query
 * checks that the server uses this data directory. Nothing is started, signalled, written or removed. PostgreSQL may stop at
 * any time with the process that started it; the connections of this process then break.
 */
import { realpath } from "node:fs/promises";
import { type Clock, pause } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { checkServer } from "./check-server.ts";
import { DATABASE, ROLE } from "./cluster.ts";
import { DirectoryTaken } from "./directory-lock.ts";
import { findCluster } from "./location.ts";
import { readPidFile } from "./pid-file.ts";
import { codeOf } from "./safe-place.ts";
import { socketAddress } from "./socket-address.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "./start-embedded-postgres.ts";

const TRIES = 50;
const PAUSE_MS = 100;

/** Starts PostgreSQL, or connects to the one of a running server that holds the data directory. */
export async function startOrJoinPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres & { readonly isJoined: boolean }> {
  try {
    return { ...(await startEmbeddedPostgres(options)), isJoined: false };
  } catch (error) {
    if (!(error instanceof DirectoryTaken)) throw error;
    return { ...(await joinPostgres(error, options.clock)), isJoined: true };
  }
}

async function joinPostgres(taken: DirectoryTaken, clock: Clock): Promise<EmbeddedPostgres> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = await findRunning(taken);
    if (found !== undefined) {
      return {
        connection: socketAddress(found.socketDir, { user: ROLE, database: DATABASE }),
        pid: () => found.pid,
        stop: async () => undefined,
      };
    }
    await pause(clock, PAUSE_MS);
  }
  throw new StartRefused(
    `the server (process ${taken.holder}) that uses the data directory ${taken.directory} has no database that answers; try again when that server has started, or stop it`,
  );
}

/** The postmaster of this data directory when it accepts connections. A single-user PostgreSQL has no socket. */
async function findRunning(
  taken: DirectoryTaken,
): Promise<{ readonly pid: number; readonly socketDir: string } | undefined> {
  try {
    const cluster = await findCluster(await realpath(taken.directory));
    const file = await readPidFile(cluster);
    if (file === undefined || file.isSingleUser || !file.isReady) return undefined;
    const reply = await checkServer(file.socketDir);
    return reply.kind === "open" && reply.cluster === cluster ? file : undefined;
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    throw new StartRefused(
      `the database of the server (process ${taken.holder}) that uses ${taken.directory} belongs to another user; run this as that user or as root`,
      { cause: error },
    );
  }
}
