/**
 * A PostgreSQL for a test run, as the product starts it, and in it one migrated database (`florin`) that test databases are
 * copied from. The product refuses a PostgreSQL with fsync=off, so the settings stay as in production; a data directory on
 * tmpfs makes fsync free instead.
 */
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../src/embedded-postgres/start-embedded-postgres.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import { migrate, readMigrations } from "../../src/postgres/migrate.ts";
import { systemClock } from "../../src/std/clock.ts";
import { silentLog } from "../../src/std/log.ts";
import type { ProvidedPostgres } from "./test-database.ts";

const MEMORY = "/dev/shm";
/** The WAL takes up to 256 MB, each test database 10 MB. /dev/shm of a container has 64 MB by default. */
const NEEDED_BYTES = 1024 ** 3;
const TMPFS = 0x01021994;

const SETTINGS = {
  max_wal_size: "256MB",
  min_wal_size: "80MB",
  // Each created and each dropped database searches all buffers.
  shared_buffers: "128MB",
};

export interface RunPostgres {
  readonly dataDir: string;
  readonly provided: ProvidedPostgres;
  stop(): Promise<void>;
}

/** A directory on tmpfs with enough space; the directory for temporary files when there is none. */
export async function placeInMemory(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  const fits = found?.type === TMPFS && found.bavail * found.bsize >= NEEDED_BYTES;
  return fits ? MEMORY : tmpdir();
}

export async function startRunPostgres(place: string): Promise<RunPostgres> {
  const dataDir = await mkdtemp(join(place, "florin-test-"));
  // PostgreSQL runs under another account when the tests run as root.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    clock: systemClock,
    settings: SETTINGS,
  });
  const { host, port, database } = postgres.connection;
  const template = openDatabase({ address: postgres.connection, log: silentLog });
  await migrate(template, await readMigrations(new URL("../../migrations/", import.meta.url)));
  await template.close();
  return {
    dataDir,
    provided: { host, port, superuser: "postgres", template: database, workers: [] },
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
