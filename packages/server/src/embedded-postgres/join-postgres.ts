/**
 * Uses the PostgreSQL that another process of ours started and looks after. Nothing is started, signalled, written or
 * removed here: the postmaster's own file says where its socket is, and it is asked whether it serves this data directory.
 * It may end at any moment, with the process that holds it; a process that joined then loses its connections, as with any
 * database.
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

/** Starts PostgreSQL, or joins it where a server that is running has the data directory. */
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
    `the server (process ${taken.holder}) that uses the data directory ${taken.directory} has no database that answers; try again when it has started, or stop it`,
  );
}

/** The postmaster of this data directory, when it takes connections; a single-user one has no socket to connect to. */
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
