/**
 * Checks at the start of a server whose database is distributed: that no table was left out, and that the nodes have the
 * durability and the triggers of the coordinator. For a plain PostgreSQL it runs one statement.
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
  /** Turns all refusals into warnings, so that a verification can read such a database. */
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
  const warnInstead = (error: unknown) => {
    if (!mayOnlyRead || !(error instanceof StartRefused)) throw error;
    log.warn({}, error.message);
  };
  await database.withClient(async (client) => {
    if (!(await hasCitus(client))) return;
    try {
      await refuseWorker(client);
      if (!(await isDistributed(client))) return;
    } catch (error) {
      warnInstead(error);
    }
    const shards = await guardedShards(client);
    const states = await statesOf(client, shards);
    try {
      refuseLossyNodes(states);
      refuseUnguardedShards(states, shards);
    } catch (error) {
      warnInstead(error);
    }
    warnOfShardRights(states, shards, log);
    warnOfSettings(states, log);
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

/** A part of a table with booked rows. */
interface Shard {
  readonly id: string;
  readonly table: string;
  /** The group of the node that has it; 0 is the coordinator. */
  readonly group: string;
}

/** The answer of a node: its settings and the state of its shards. */
interface NodeState {
  readonly node: string;
  readonly group: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly shards: readonly FoundShard[];
}

interface FoundShard {
  readonly id: string;
  /** The number of enabled triggers. */
  readonly triggers: number;
  /** Whether the role of the server may change booked rows. */
  readonly isOpen: boolean;
}

const SETTINGS = [
  ...Object.keys(DURABILITY),
  "lock_timeout",
  "max_prepared_transactions",
  NESTED_QUERIES,
];
const rightsOf = new Map<string, string>(REVOKED);

/**
 * The statement that a node answers with one JSON text. It names all shards, and the node reports those that it has. The
 * statement looks shards up by name, because a node hides them from lists of tables.
 */
function statementOfNode(schema: string, shards: readonly Omit<Shard, "group">[]): string {
  const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(", ");
  const named = shards.map(({ id, table }) => `${schema}.${table}_${id}`);
  const columns = [
    shards.map(({ id }) => id),
    named,
    shards.map(({ table }) => rightsOf.get(table) ?? "update"),
  ].map((values) => `array[${list(values)}]::text[]`);
  return (
    `select json_build_object('settings', (select json_object_agg(name, setting) from pg_settings where name in (${list(SETTINGS)})), ` +
    "'shards', (select coalesce(json_agg(json_build_object('id', s.id, 'triggers', (select count(*) from pg_trigger t " +
    "where t.tgrelid = to_regclass(s.name) and not t.tgisinternal and t.tgenabled in ('O', 'A')), " +
    "'isOpen', current_setting('is_superuser') = 'off' and has_table_privilege(to_regclass(s.name)::oid, s.rights))), '[]') " +
    `from unnest(${columns.join(", ")}) s(id, name, rights) where to_regclass(s.name) is not null))::text`
  );
}

/** The shards of the tables with booked rows, with the node on which each should be. */
async function guardedShards(client: Client): Promise<readonly Shard[]> {
  const tables = [...new Set(GUARDS.map(([table]) => table))];
  const { rows } = await client.query<{ id: string; of_table: string; group: string }>(
    "select s.shardid as id, c.relname as of_table, p.groupid as group from pg_dist_shard s " +
      "join pg_class c on c.oid = s.logicalrelid join pg_dist_placement p on p.shardid = s.shardid " +
      "where s.logicalrelid = any (select to_regclass(name) from unnest($1::text[]) name) order by 1",
    [tables],
  );
  return rows.map(({ id, of_table: table, group }) => ({ id, table, group }));
}

/** Asks all nodes at the same time, each in one round trip, whatever the number of shards; the coordinator alone if it has some. */
async function statesOf(client: Client, shards: readonly Shard[]): Promise<readonly NodeState[]> {
  const schema = await client.query<{ name: string }>(
    "select quote_ident(current_schema()) as name",
  );
  const text = statementOfNode(schema.rows[0]?.name ?? "public", shards);
  const { rows } = await client.query<Record<"node" | "group" | "success" | "result", string>>(
    "select r.nodename || ':' || r.nodeport as node, n.groupid as group, r.success, r.result from run_command_on_workers($1) r " +
      "join pg_dist_node n on n.nodename = r.nodename and n.nodeport = r.nodeport",
    [text],
  );
  const states = rows.map(({ node, group, success, result }) => {
    if (success !== "t") throw new StartRefused(`the node ${node} cannot be asked: ${result}`);
    return { node, group, ...JSON.parse(result) } as NodeState;
  });
  if (!shards.some(({ group }) => group === COORDINATOR)) return states;
  const own = await client.query<string[]>({ text, rowMode: "array" });
  return [
    ...states,
    { node: "coordinator", group: COORDINATOR, ...JSON.parse(own.rows[0]?.[0] ?? "{}") },
  ];
}

const COORDINATOR = "0";

function refuseLossyNodes(states: readonly NodeState[]): void {
  for (const { node, settings } of states) {
    for (const [name, safe] of Object.entries<readonly string[]>(DURABILITY)) {
      const setting = settings[name];
      if (setting === undefined || safe.includes(setting)) continue;
      throw new StartRefused(
        `the node ${node} runs with ${name}=${setting}: an acknowledged payment could be lost; set ${name}=${safe[0]} there`,
      );
    }
  }
}

/** A shard that its node does not have counts as one without triggers. */
function refuseUnguardedShards(states: readonly NodeState[], shards: readonly Shard[]): void {
  const triggers = groupBy(GUARDS, ([guarded]) => guarded);
  for (const { id, table, group } of shards) {
    const found = foundShard(states, { id, group })?.triggers ?? 0;
    const wanted = triggers.get(table as (typeof GUARDS)[number][0])?.length ?? 0;
    if (found >= wanted) continue;
    throw new StartRefused(
      `booked rows are not guarded: the shard ${id} of ${table} has ${found} of ${wanted} triggers enabled; ` +
        "enable them there, or restore them from a dump",
    );
  }
}

function foundShard(states: readonly NodeState[], { id, group }: Omit<Shard, "table">) {
  return states.find((state) => state.group === group)?.shards.find((shard) => shard.id === id);
}

function warnOfShardRights(states: readonly NodeState[], shards: readonly Shard[], log: Log): void {
  for (const [table, rights] of REVOKED) {
    const own = shards.filter((shard) => shard.table === table);
    if (!own.some((shard) => foundShard(states, shard)?.isOpen === true)) continue;
    log.warn(
      { table },
      `the role may change booked rows on the nodes; run: revoke ${rights} on ${table} from current_user`,
    );
  }
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

/** Timeouts of a connection to the coordinator do not apply to the connections that the coordinator makes to the nodes. */
function warnOfSettings(states: readonly NodeState[], log: Log): void {
  for (const { node, group, settings } of states) {
    // The server connects to the coordinator itself and sets these limits on its connections.
    if (group === COORDINATOR) continue;
    const lockTimeoutMs = Number(settings.lock_timeout);
    const { lockTimeoutMs: limitMs } = databaseLimits;
    if (lockTimeoutMs === 0 || lockTimeoutMs > limitMs) {
      log.warn(
        { node },
        `the role waits for a lock on the node longer than ${limitMs} ms, so a call may end with 503 before the wait does; ` +
          `run: alter role current_user set lock_timeout = '${limitMs}ms'`,
      );
    }
    if (settings[NESTED_QUERIES] === "off") {
      log.warn(
        { node },
        `the role may not run the functions of the schema on the node, so reads of events and of the books fail; run: alter role current_user set ${NESTED_QUERIES} = on`,
      );
    }
    if (settings.max_prepared_transactions === "0") {
      log.warn(
        { node },
        "the node runs with max_prepared_transactions=0, so no commit can reach two nodes; set it to max_connections or more",
      );
    }
  }
}
