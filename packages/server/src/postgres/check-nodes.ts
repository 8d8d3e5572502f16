/**
 * Checks at the start of a server whose database is distributed: that no table was left out, and that the nodes keep what the
 * coordinator promises. A plain PostgreSQL passes with one statement.
 */
import type { Client } from "pg";
import { StartRefused } from "../std/errors.ts";
import { groupBy } from "../std/group.ts";
import type { Log } from "../std/log.ts";
import { DURABILITY, GUARDS, REVOKED } from "./check-database.ts";
import { type Database, databaseLimits } from "./database.ts";
import {
  hasCitus,
  NESTED_QUERIES,
  placedTables,
  refuseApart,
  refuseWorker,
} from "./distribution.ts";

interface Tools {
  readonly log: Log;
  /** All refusals are warnings, so that a verification can read such a database. */
  readonly mayOnlyRead?: boolean;
}

/**
 * Refuses a database that is distributed in part, one on a worker, and one of which a node could lose an acknowledged commit or lacks
 * the triggers that protect booked rows. Warns of rights and settings of the nodes.
 */
export async function checkNodes(
  database: Database,
  { log, mayOnlyRead = false }: Tools,
): Promise<void> {
  await database.withClient(async (client) => {
    if (!(await hasCitus(client))) return;
    try {
      await refuseWorker(client);
      if (!(await isDistributed(client))) return;
      await refuseLossyNodes(client);
      await refuseUnguardedShards(client);
    } catch (error) {
      if (!mayOnlyRead || !(error instanceof StartRefused)) throw error;
      log.warn({}, error.message);
    }
    await warnOfShardRights(client, log);
    await warnOfSettings(client, log);
    await warnOfSlowRecovery(client, log);
  });
}

/** Refuses a database of which some tables are distributed and some are not. */
async function isDistributed(client: Client): Promise<boolean> {
  const tables = await placedTables(client);
  const local = tables.filter(({ placement }) => placement === "local");
  if (local.length === tables.length) return false;
  if (local.length > 0) {
    const names = local.map(({ name }) => name).join(", ");
    throw new StartRefused(
      `the database is distributed but for the tables ${names}: stop all servers and run \`florin migrate --distribute\``,
    );
  }
  refuseApart(tables);
  return true;
}

interface NodeSettings {
  readonly node: string;
  readonly settings: ReadonlyMap<string, string>;
}

/** As connections from the coordinator have them. */
async function settingsOfNodes(
  client: Client,
  names: readonly string[],
): Promise<readonly NodeSettings[]> {
  const list = names.map((name) => `'${name}'`).join(", ");
  const { rows } = await client.query<{ node: string; success: string; result: string }>(
    "select nodename || ':' || nodeport as node, success, result from run_command_on_workers($1)",
    [`select json_object_agg(name, setting) from pg_settings where name in (${list})`],
  );
  return rows.map(({ node, success, result }) => {
    if (success !== "t") throw new StartRefused(`the node ${node} cannot be asked: ${result}`);
    return { node, settings: new Map(Object.entries(JSON.parse(result))) };
  });
}

async function refuseLossyNodes(client: Client): Promise<void> {
  for (const { node, settings } of await settingsOfNodes(client, Object.keys(DURABILITY))) {
    for (const [name, safe] of Object.entries<readonly string[]>(DURABILITY)) {
      const setting = settings.get(name);
      if (setting === undefined || safe.includes(setting)) continue;
      throw new StartRefused(
        `the node ${node} runs with ${name}=${setting}: an acknowledged payment could be lost; set ${name}=${safe[0]} there`,
      );
    }
  }
}

async function refuseUnguardedShards(client: Client): Promise<void> {
  for (const [table, triggers] of groupBy(GUARDS, ([guarded]) => guarded)) {
    const found = await onShards(
      client,
      table,
      "select count(*) from pg_trigger where tgrelid = '%1$s'::regclass and not tgisinternal and tgenabled in ('O', 'A')",
    );
    const bare = found.find(({ result }) => Number(result) < triggers.length);
    if (bare === undefined) continue;
    throw new StartRefused(
      `booked rows are not guarded: the shard ${bare.shard} of ${table} has ${bare.result} of ${triggers.length} triggers enabled; ` +
        "enable them there, or restore them from a dump",
    );
  }
}

async function warnOfShardRights(client: Client, log: Log): Promise<void> {
  for (const [table, rights] of REVOKED) {
    const found = await onShards(
      client,
      table,
      `select has_table_privilege('%1$s', '${rights}') and current_setting('is_superuser') = 'off'`,
    );
    if (found.some(({ result }) => result === "t")) {
      log.warn(
        { table },
        `the role may change booked rows on the nodes; run: revoke ${rights} on ${table} from current_user`,
      );
    }
  }
}

/** The result of a statement for each shard; `%1$s` in it is the name of the shard. */
async function onShards(client: Client, table: string, statement: string) {
  const { rows } = await client.query<{ shard: string; success: string; result: string }>(
    "select shardid as shard, success, result from run_command_on_shards($1, $2)",
    [table, statement],
  );
  const failed = rows.find(({ success }) => success !== "t");
  if (failed !== undefined) {
    throw new StartRefused(
      `the shard ${failed.shard} of ${table} cannot be asked: ${failed.result}`,
    );
  }
  return rows;
}

/**
 * After a node was killed in the middle of a commit, the platform of that commit waits until the coordinator has asked the node for
 * prepared transactions, also when the node has long been back. Citus asks every minute unless it is set.
 */
const RECOVERY_INTERVAL_MS = 5_000;

async function warnOfSlowRecovery(client: Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ interval: string }>(
    "select setting as interval from pg_settings where name = 'citus.recover_2pc_interval'",
  );
  const intervalMs = Number(rows[0]?.interval);
  if (intervalMs >= 0 && intervalMs <= RECOVERY_INTERVAL_MS) return;
  log.warn(
    { intervalMs },
    "after a node was down its platforms may wait for the recovery of prepared transactions; run as a superuser: " +
      "alter system set citus.recover_2pc_interval = '1s'; select pg_reload_conf()",
  );
}

/** Limits of the coordinator's connections do not reach those that it makes to the nodes. */
async function warnOfSettings(client: Client, log: Log): Promise<void> {
  const names = ["lock_timeout", "max_prepared_transactions", NESTED_QUERIES];
  for (const { node, settings } of await settingsOfNodes(client, names)) {
    const lockTimeoutMs = Number(settings.get("lock_timeout"));
    const { lockTimeoutMs: limitMs } = databaseLimits;
    if (lockTimeoutMs === 0 || lockTimeoutMs > limitMs) {
      log.warn(
        { node },
        `the role waits for a lock on the node longer than ${limitMs} ms, so a call may end with 503 before the wait does; ` +
          `run: alter role current_user set lock_timeout = '${limitMs}ms'`,
      );
    }
    if (settings.get(NESTED_QUERIES) === "off") {
      log.warn(
        { node },
        `the role may not run the functions of the schema on the node, so reads of events and of the books fail; run: alter role current_user set ${NESTED_QUERIES} = on`,
      );
    }
    if (settings.get("max_prepared_transactions") === "0") {
      log.warn(
        { node },
        "the node runs with max_prepared_transactions=0, so no commit can reach two nodes; set it to max_connections or more",
      );
    }
  }
}
