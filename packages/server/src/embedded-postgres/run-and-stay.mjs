// Starts PostgreSQL on the directory that is named, says where it listens, and stays until it is killed.

import { startEmbeddedPostgres } from "../../dist/embedded-postgres/start-embedded-postgres.js";
import { systemClock } from "../../dist/std/clock.js";
import { silentLog } from "../../dist/std/log.js";

const postgres = await startEmbeddedPostgres({
  dataDir: process.argv[2],
  log: silentLog,
  clock: systemClock,
});
process.stdout.write(
  `${JSON.stringify({ pid: postgres.pid(), connection: postgres.connection })}\n`,
);
