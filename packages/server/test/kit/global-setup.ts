/**
 * One PostgreSQL for a whole run, as the product starts it, and in it one migrated database that test databases are copied
 * from. Copying takes some tens of milliseconds.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/embedded-postgres/start-embedded-postgres.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import { migrate, readMigrations } from "../../src/postgres/migrate.ts";
import { systemClock } from "../../src/std/clock.ts";
import { silentLog } from "../../src/std/log.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: { readonly host: string; readonly port: number };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-test-"));
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, clock: systemClock });
  const { host, port } = postgres.connection;
  const template = openDatabase({ address: postgres.connection, log: silentLog });
  await migrate(template, await readMigrations(new URL("../../migrations/", import.meta.url)));
  await template.close();
  project.provide("postgres", { host, port });
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
