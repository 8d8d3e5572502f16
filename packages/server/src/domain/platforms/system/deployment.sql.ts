/** The database of the deployment: its size and age, its migrations, and the jobs that are due. No query scans a history. */
import type { ReadCells } from "../../../postgres/database.ts";
import { MASTER_KEY_FACT, OTHER_MASTER_KEY_FACT } from "../../../secrets/deployment-facts.ts";
import { toIso } from "../../../std/clock.ts";

export interface DatabaseFigures {
  readonly version: string;
  readonly bytes: number;
  readonly connections: number;
  readonly mostConnections: number;
  /** Age of the oldest open transaction; 0 without one. */
  readonly oldestTransactionMs: number;
}

const database = {
  name: "system/database",
  text:
    "select current_setting('server_version'), pg_database_size(current_database()), count(*), " +
    "current_setting('max_connections'), coalesce(floor(extract(epoch from max(clock_timestamp() - a.xact_start) " +
    "filter (where a.pid <> pg_backend_pid())) * 1000), 0)::int8 " +
    "from pg_stat_activity a where a.datname = current_database()",
};

export async function findDatabase(cells: ReadCells): Promise<DatabaseFigures> {
  const [found = []] = await cells(database, []);
  const [version, bytes, connections, mostConnections, oldestTransactionMs] = found;
  return {
    version: version ?? "",
    bytes: Number(bytes),
    connections: Number(connections),
    mostConnections: Number(mostConnections),
    oldestTransactionMs: Number(oldestTransactionMs),
  };
}

export interface RanMigration {
  readonly version: number;
  readonly name: string;
  readonly appliedAt: number;
}

const MOST_MIGRATIONS = 1_000;

const migrations = {
  name: "system/migrations",
  text:
    "select version, name, floor(extract(epoch from applied_at) * 1000)::int8 from schema_migrations " +
    `order by version desc limit ${MOST_MIGRATIONS}`,
};

/** The newest first. */
export async function listMigrations(cells: ReadCells): Promise<readonly RanMigration[]> {
  const found = await cells(migrations, []);
  return found.map(([version, name, appliedAt]) => ({
    version: Number(version),
    name: name ?? "",
    appliedAt: Number(appliedAt),
  }));
}

/** Only this many jobs are counted, those that are due first. */
export const MOST_JOBS_COUNTED = 10_000;
export const OVERDUE_AFTER_MS = 60_000;

export interface JobCount {
  readonly kind: string;
  readonly count: number;
  readonly due: number;
  readonly overdue: number;
  /** When the earliest job of the kind is due. */
  readonly firstAt: number;
}

const jobs = {
  name: "system/jobs",
  text:
    `with first as (select kind, run_at from jobs order by run_at limit ${MOST_JOBS_COUNTED}) ` +
    "select kind, count(*), count(*) filter (where run_at <= $1::timestamptz), " +
    "count(*) filter (where run_at <= $2::timestamptz), floor(extract(epoch from min(run_at)) * 1000)::int8 " +
    "from first group by 1 order by 4 desc, 3 desc, 1",
};

export async function countJobs(cells: ReadCells, now: number): Promise<readonly JobCount[]> {
  const found = await cells(jobs, [toIso(now), toIso(now - OVERDUE_AFTER_MS)]);
  return found.map(([kind, count, due, overdue, firstAt]) => ({
    kind: kind ?? "",
    count: Number(count),
    due: Number(due),
    overdue: Number(overdue),
    firstAt: Number(firstAt),
  }));
}

export interface MasterKeys {
  readonly id: string;
  /** The second key during a rotation; some secrets may be sealed with it already. */
  readonly otherId: string | null;
}

const masterKeys = {
  name: "system/master-keys",
  text: "select name, value from deployment_facts where name = $1::text or name = $2::text",
};

export async function findMasterKeys(cells: ReadCells): Promise<MasterKeys> {
  const found = await cells(masterKeys, [MASTER_KEY_FACT, OTHER_MASTER_KEY_FACT]);
  const facts = new Map(found.map(([name, value]) => [name, value]));
  return {
    id: facts.get(MASTER_KEY_FACT) ?? "",
    otherId: facts.get(OTHER_MASTER_KEY_FACT) ?? null,
  };
}
