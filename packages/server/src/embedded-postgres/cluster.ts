/**
 * Creates the database cluster at the first start: initdb into a temporary directory → create the role and its database →
 * rename → fsync the parent. If the process dies before the rename, the next start deletes the temporary directory; after
 * the rename the cluster is complete.
 */
import { randomBytes } from "node:crypto";
import { lchown, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries/binaries.ts";
import { findCluster, type Location } from "./location.ts";
import { readIfThere } from "./pid-file.ts";
import { type Ran, run } from "./run.ts";
import { codeOf, statsOf, syncDirectory } from "./safe-place.ts";

export interface ClusterOptions {
  readonly location: Location;
  readonly binaries: Binaries;
  readonly clock: Clock;
  readonly log: Log;
}

export const SUPERUSER = "postgres";
export const ROLE = "florin";
export const DATABASE = "florin";

const INITDB_LIMIT_MS = 180_000;
const UNFINISHED = "postgres.new-";

const FIRST_STATEMENTS = `create role ${ROLE} login nosuperuser nocreatedb nocreaterole noreplication
create database ${DATABASE} owner ${ROLE}
`;

/** True also when the directory cannot be read: the start then fails with a message that names the reason. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    await stat(join(await findCluster(dataDir), "PG_VERSION"));
    return true;
  } catch (error) {
    return codeOf(error) !== "ENOENT";
  }
}

export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { place, cluster, account } = options.location;
  await sweepUnfinished(place, options.log);
  const madeBy = (await readIfThere(join(cluster, "PG_VERSION")))?.trim();
  if (madeBy === undefined) return createCluster(options);
  const major = options.binaries.version.split(".")[0];
  if (madeBy !== major) {
    throw new StartRefused(
      `the database in ${cluster} was created by PostgreSQL ${madeBy}, and this Florin includes PostgreSQL ${major}; migrate it with pg_dump and pg_restore, or set DATABASE_URL`,
    );
  }
  // Files of a backup that root restored belong to root.
  if (account !== undefined && (await statsOf(cluster))?.uid === 0)
    await chownTree(cluster, account);
}

async function createCluster(options: ClusterOptions): Promise<void> {
  const { place, cluster, account } = options.location;
  await refuseNonEmpty(cluster);
  const temporary = join(place, `${UNFINISHED}${randomBytes(4).toString("hex")}`);
  await mkdir(temporary, { mode: 0o700 });
  try {
    if (account !== undefined) await lchown(temporary, account.uid, account.gid);
    refuseFailed("initdb", await runInitdb(temporary, options));
    refuseFailed("the first start of PostgreSQL", await runFirstStatements(temporary, options));
    await rename(temporary, cluster);
    await syncDirectory(place);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
  options.log.info({ cluster, version: options.binaries.version }, "created the database");
}

function runInitdb(cluster: string, { location, binaries, clock }: ClusterOptions): Promise<Ran> {
  return run({
    program: binaries.initdb,
    args: [
      `--pgdata=${cluster}`,
      `--username=${SUPERUSER}`,
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C",
      "--data-checksums",
      "--no-instructions",
    ],
    account: location.account,
    clock,
    limitMs: INITDB_LIMIT_MS,
  });
}

function runFirstStatements(
  cluster: string,
  { location, binaries, clock }: ClusterOptions,
): Promise<Ran> {
  return run({
    program: binaries.postgres,
    args: ["--single", "-D", cluster, "-c", "exit_on_error=on", SUPERUSER],
    account: location.account,
    clock,
    limitMs: INITDB_LIMIT_MS,
    input: FIRST_STATEMENTS,
  });
}

function refuseFailed(what: string, ran: Ran): void {
  if (ran.code === 0) return;
  const said = causesIn(ran.complaints).slice(-4).join("; ");
  throw new StartRefused(
    `${what} failed: ${said}; fix that, or set DATABASE_URL to a PostgreSQL server`,
  );
}

/** The lines with a severity, or all lines when there is none. A failed statement is printed too, and may be long. */
function causesIn(complaints: string): readonly string[] {
  const lines = complaints.split("\n").filter((line) => line.trim() !== "");
  const causes = lines.filter((line) => /\b(?:ERROR|FATAL|PANIC|HINT|error):/.test(line));
  return causes.length > 0 ? causes : lines;
}

async function refuseNonEmpty(cluster: string): Promise<void> {
  if ((await statsOf(cluster)) === undefined) return;
  if ((await readdir(cluster)).length === 0) return;
  throw new StartRefused(`${cluster} holds files but no PostgreSQL database; move them away`);
}

/** Deletes the directories of killed starts. An initdb that still runs fails when its directory is gone. */
async function sweepUnfinished(place: string, log: Log): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(UNFINISHED)) continue;
    await rm(join(place, name), { recursive: true, force: true, maxRetries: 3 }).catch((error) =>
      log.warn({ err: messageOf(error), name }, "an incomplete database could not be removed"),
    );
  }
}

async function chownTree(top: string, account: Account): Promise<void> {
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await lchown(top, account.uid, account.gid);
}
