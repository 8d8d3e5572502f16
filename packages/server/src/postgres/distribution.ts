/**
 * Where the tables of a database are: all on one PostgreSQL, or distributed by platform over the nodes of a Citus cluster. A table
 * whose primary key begins with `platform_id` is distributed, and the rows of a platform are on one node. The others hold names and
 * facts of the deployment and are reference tables, which every node has.
 *
 * `distribute` moves all tables in one transaction: it ends with all of them in their place, or changes nothing. Run again, it moves
 * the tables that later migrations made.
 */
import type { Client } from "pg";
import { StartRefused } from "../std/errors.ts";
import { REVOKED } from "./check-database.ts";
import type { Database } from "./database.ts";

export type Placement = "local" | "distributed" | "reference";

export interface PlacedTable {
  readonly name: string;
  readonly wanted: "distributed" | "reference";
  readonly placement: Placement;
  /** Whether it is distributed by another column than `platform_id`, or not co-located with the heads. */
  readonly isApart: boolean;
  readonly owner: string;
}

/** Tables whose primary key does not begin with `platform_id`. */
const REFERENCE_TABLES = [
  "deployment_facts",
  "deployment_servers",
  "directory",
  "domain_claims",
  "domain_roots",
  "failed_proofs",
  "request_log_days",
  "schema_migrations",
  "uma_counterparty_keys",
  "verify_runs",
] as const;

/** The table that the others are co-located with. */
const HEADS = "platform_heads";

/**
 * Unique indexes without the platform, which a distributed table cannot have. Each becomes a plain index. Ids are random, so theirs need not
 * enforce uniqueness. Invoices of quotes of two platforms are not compared there; a connector pays an invoice once.
 */
export const UNIQUE_IDS: readonly {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}[] = [
  { name: "rail_connections_id", table: "rail_connections", column: "id" },
  { name: "funding_addresses_reference", table: "funding_addresses", column: "reference" },
  { name: "quote_invoices_once", table: "quote_invoices", column: "id" },
];

const OUR_TABLES =
  "select c.oid, c.relname, pg_get_userbyid(c.relowner) as owner, a.attname = 'platform_id' as is_of_platform " +
  "from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary " +
  "join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] " +
  "where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition " +
  "and (a.attname = 'platform_id' or c.relname = any ($1))";

/** Whether the database has the Citus extension. */
export async function hasCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/** The tables of the schema. Without Citus each is local. */
export async function placedTables(client: Client): Promise<readonly PlacedTable[]> {
  const [columns, joined] = (await hasCitus(client))
    ? [
        "p.partmethod, p.repmodel, p.partmethod = 'h' and (p.colocationid <> h.colocationid or " +
          "column_to_column_name(p.logicalrelid, p.partkey) <> 'platform_id') as is_apart",
        "left join pg_dist_partition p on p.logicalrelid = t.oid " +
          `left join pg_dist_partition h on h.logicalrelid = to_regclass('${HEADS}')`,
      ]
    : ["null as partmethod, null as repmodel, false as is_apart", ""];
  const { rows } = await client.query<Record<string, string | null>>(
    `select t.relname, t.owner, t.is_of_platform, ${columns} from (${OUR_TABLES}) t ${joined} ` +
      `order by t.relname <> '${HEADS}', t.relname`,
    [REFERENCE_TABLES],
  );
  return rows.map((row) => ({
    name: row.relname ?? "",
    wanted: row.is_of_platform === "t" ? "distributed" : "reference",
    placement: placementOf(row.partmethod, row.repmodel),
    isApart: row.is_apart === "t",
    owner: row.owner ?? "",
  }));
}

function placementOf(
  method: string | null | undefined,
  replication: string | null | undefined,
): Placement {
  if (method === "h") return "distributed";
  // A local table in the Citus metadata has the method `n` too, but not the replication model `t`.
  return method === "n" && replication === "t" ? "reference" : "local";
}

export interface DistributeOptions {
  /** How many shards each table gets; those of the heads when they are distributed already. */
  readonly shards: number | undefined;
}

const DEFAULT_SHARDS = 32;

/** Moves every table to its place and returns the names of those that moved. */
export async function distribute(
  database: Database,
  { shards }: DistributeOptions,
): Promise<readonly string[]> {
  return database.withClient(async (client) => {
    await refuseUnready(client);
    await client.query("begin");
    try {
      // From here on servers wait, and so does a second run of this command, which then finds every table in its place.
      await client.query("lock table schema_migrations in access exclusive mode");
      const tables = await placedTables(client);
      refuseForeign(tables, await roleOf(client));
      await refuseOtherShards(client, shards);
      const moved = tables.filter(({ placement }) => placement === "local");
      await move(client, moved, shards ?? DEFAULT_SHARDS);
      await distributeFunctions(client);
      await client.query("commit");
      return moved.map(({ name }) => name);
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  });
}

async function move(client: Client, tables: readonly PlacedTable[], shards: number): Promise<void> {
  // The triggers of append-only tables are created on each shard, and a row of theirs concerns no other shard.
  await client.query("set local citus.enable_unsafe_triggers = on");
  // Reference tables and shards are made over the same connections.
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
  for (const { name, table, column } of UNIQUE_IDS) {
    if (!tables.some((moved) => moved.name === table)) continue;
    await client.query(`drop index ${name}`);
    await client.query(`create index ${name} on ${table} (${column})`);
  }
  for (const { name, wanted } of tables) {
    if (wanted === "reference") {
      await client.query("select create_reference_table($1)", [name]);
    } else if (name === HEADS) {
      await client.query(
        "select create_distributed_table($1, 'platform_id', colocate_with => 'none', shard_count => $2)",
        [name, shards],
      );
    } else {
      await client.query(
        `select create_distributed_table($1, 'platform_id', colocate_with => '${HEADS}')`,
        [name],
      );
    }
  }
  // Citus creates shards with all rights of the owner, also those that the owner has revoked from itself.
  const moved = new Set(tables.map(({ name }) => name));
  for (const [table, rights] of REVOKED) {
    if (moved.has(table)) await client.query(`revoke ${rights} on ${table} from current_user`);
  }
}

/**
 * The functions of the schema are made on every node. Those that a read of one platform calls run beside its rows and query them: that
 * has to be allowed, and is correct, because no query of theirs leaves the platform.
 */
async function distributeFunctions(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = current_schema()::regnamespace " +
      "and p.prorettype <> 'trigger'::regtype and not exists (" +
      "select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') order by 1",
  );
  for (const { name } of rows) await client.query("select create_distributed_function($1)", [name]);
  await client.query(`alter role current_user set ${NESTED_QUERIES} = on`);
}

/** The setting without which a node refuses a query inside of a function. */
export const NESTED_QUERIES = "citus.allow_nested_distributed_execution";

async function refuseUnready(client: Client): Promise<void> {
  if (!(await hasCitus(client))) {
    throw new StartRefused(
      "the database has no Citus extension: run `create extension citus` in it as a superuser, and add its nodes with " +
        "`select citus_add_node(…)`",
    );
  }
  await refuseWorker(client);
  const nodes = await client.query(
    "select 1 from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards limit 1",
  );
  if (nodes.rows.length === 0) {
    throw new StartRefused(
      "no node of the cluster takes shards: add one with `select citus_add_node(…)`",
    );
  }
  const { rows } = await client.query<{ name: string; count: string }>(
    "select application_name as name, count(*) as count from pg_stat_activity where datname = current_database() " +
      "and pid <> pg_backend_pid() and application_name like 'florin %' group by 1 order by 1 limit 1",
  );
  const [other] = rows;
  if (other !== undefined) {
    throw new StartRefused(
      `a server is connected to the database (\`${other.name}\`, ${other.count} connections): stop all servers, then run this command again`,
    );
  }
}

/** Refuses a worker of the cluster: it has the tables in its metadata, but only the coordinator can change them. */
export async function refuseWorker(client: Client): Promise<void> {
  const { rows } = await client.query("select 1 from pg_dist_local_group where groupid <> 0");
  if (rows.length === 0) return;
  throw new StartRefused(
    "the database is on a worker of the cluster: set DATABASE_URL to the coordinator",
  );
}

async function roleOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>("select current_user as role");
  return rows[0]?.role ?? "";
}

function refuseForeign(tables: readonly PlacedTable[], role: string): void {
  const foreign = tables.find(({ owner }) => owner !== role);
  if (foreign !== undefined) {
    throw new StartRefused(
      `the table ${foreign.name} belongs to the role ${foreign.owner}, and this command runs as ${role}: set DATABASE_URL to ${foreign.owner}`,
    );
  }
  refuseApart(tables);
}

/** Refuses tables that are distributed in another way, because the rows of a platform would not all be on one node. */
export function refuseApart(tables: readonly PlacedTable[]): void {
  const apart = tables.find(
    ({ isApart, placement, wanted }) => isApart || (placement !== "local" && placement !== wanted),
  );
  if (apart === undefined) return;
  throw new StartRefused(
    `the table ${apart.name} is distributed in another way than by platform beside ${HEADS}: undo that with ` +
      `\`select undistribute_table('${apart.name}')\`, then run \`florin migrate --distribute\``,
  );
}

async function refuseOtherShards(client: Client, wanted: number | undefined): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) as count from pg_dist_shard where logicalrelid = to_regclass('${HEADS}')`,
  );
  const count = Number(rows[0]?.count ?? 0);
  if (wanted === undefined || count === 0 || count === wanted) return;
  throw new StartRefused(
    `the tables have ${count} shards already, not ${wanted}: leave --shards out; ` +
      `\`select alter_distributed_table('${HEADS}', shard_count => ${wanted}, cascade_to_colocated => true)\` changes their number`,
  );
}
