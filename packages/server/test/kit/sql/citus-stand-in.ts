/**
 * What the checks of a start ask of a Citus cluster, on a plain PostgreSQL: the catalogue of its extension, and a function that runs a statement
 * for each of two nodes, which are this database. Each table with booked rows has four shards, with triggers and rights like the table.
 */
import { GUARDS, REVOKED } from "../../../src/postgres/check-database.ts";
import type { TestDatabase } from "../test-database.ts";

const CATALOGUE = [
  "set allow_system_table_mods = on",
  "insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) select 9999999, 'citus', 10, 'public'::regnamespace, false, '13.2'",
  "create table pg_dist_local_group as select 0 as groupid",
  "create table pg_dist_node as select 'node' || g as nodename, 5432 as nodeport, g as groupid from generate_series(1, 2) g",
  'create table pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, repmodel "char", colocationid int)',
  "create table pg_dist_shard (logicalrelid regclass, shardid int8)",
  "create table pg_dist_placement (shardid int8, groupid int)",
  "create table asked (text text)",
  "create function column_to_column_name(regclass, text) returns text language sql as 'select ''platform_id'''",
  "create function run_command_on_workers(command text) returns table (nodename text, nodeport int, success bool, result text) " +
    "language plpgsql set lock_timeout = '3s' as $$ begin insert into asked values (command); " +
    "for nodename, nodeport in select n.nodename, n.nodeport from pg_dist_node n loop " +
    "begin execute command into result; success := true; exception when others then success := false; result := sqlerrm; end; " +
    "return next; end loop; end $$",
  "grant all on all tables in schema public to florin",
];

/** Citus hides shards from the catalogue of tables. Here they are in it, so they count as distributed as well. */
const PLACED =
  "insert into pg_dist_partition select c.oid, case when a.attname = 'platform_id' then 'h' else 'n' end, '', 't', 1 from pg_class c " +
  "join pg_index i on i.indrelid = c.oid and i.indisprimary join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] " +
  "where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition";

const SHARDS = 4;
export const FIRST_SHARD = 102_001;

/** The number of calls that asked the nodes is returned by the function. */
export async function standInForCitus(place: TestDatabase): Promise<() => Promise<number>> {
  const tables = [...new Set(GUARDS.map(([table]) => table))];
  await place.asSuperuser(async (client) => {
    for (const statement of CATALOGUE) await client.query(statement);
    for (const [table, rights] of REVOKED)
      await client.query(`revoke ${rights} on ${table} from florin`);
    for (const [index, table] of tables.entries()) {
      for (let number = 0; number < SHARDS; number++) {
        const id = FIRST_SHARD + index * SHARDS + number;
        const shard = `${table}_${id}`;
        await client.query(`create table ${shard} (like ${table} including all)`);
        await client.query(`alter table ${shard} owner to florin`);
        const rights = REVOKED.find(([revoked]) => revoked === table)?.[1];
        await client.query(`revoke ${rights} on ${shard} from florin`);
        const { rows } = await client.query(
          "select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = to_regclass($1) and not tgisinternal",
          [table],
        );
        for (const { text } of rows)
          await client.query(text.replace(` ON public.${table} `, ` ON public.${shard} `));
        await client.query("insert into pg_dist_shard values (to_regclass($1), $2)", [table, id]);
        await client.query("insert into pg_dist_placement values ($1, $2)", [id, 1 + (number % 2)]);
      }
    }
    await client.query(PLACED);
  });
  return () =>
    place.asSuperuser(async (client) => {
      const { rows } = await client.query("select count(*)::int4 as count from asked");
      return rows[0].count;
    });
}
