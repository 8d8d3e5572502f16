/**
 * How many rows statements read, also inside of the functions that they call, which no plan shows: rows of sequential scans and entries of
 * indexes, as PostgreSQL counts them for the transaction of a connection. Workers of a parallel plan count for themselves, so there are none.
 */
import type pg from "pg";
import type { Reads, ReadValue } from "../../../src/postgres/database.ts";
import type { Statement } from "../../../src/postgres/pipeline.ts";

const COUNTED =
  "select coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)), 0)::int8 as count from pg_class c " +
  "where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')";

export interface CountedReads {
  readonly reads: Reads;
  /** The rows that the work read. */
  during(work: () => Promise<unknown>): Promise<number>;
}

/** Reads on one connection, in one transaction, as the role of the server. */
export async function countedReads(client: pg.Client): Promise<CountedReads> {
  await client.query("set max_parallel_workers_per_gather = 0");
  await client.query("begin");
  const count = async () => Number((await client.query(COUNTED)).rows[0].count);
  const cells = async ({ name, text }: Statement, values: readonly ReadValue[]) => {
    const { rows } = await client.query<(string | null)[]>({
      name,
      text,
      values: values.map((value) => (typeof value === "bigint" ? value.toString() : value)),
      rowMode: "array",
      types: { getTypeParser: () => (cell: string) => cell },
    });
    return rows;
  };
  return {
    reads: {
      cells,
      withPermit: (_, ask) => ask(cells),
      rows: async (table, statement, values) =>
        (await cells(statement, values)).map((row) => table.decode(row)),
    },
    async during(work) {
      const before = await count();
      await work();
      return (await count()) - before;
    },
  };
}

export interface Cost {
  readonly read: number;
  readonly answered: number;
  /** Blocks that were written to temporary files. */
  readonly spilled: number;
}

/** PostgreSQL plans a prepared statement for its values up to so many executions, and then perhaps for any values. */
const OWN_PLANS = 5;
const PREPARED = "judged";

/** What the statement costs on a connection that has sent it before, when it is a named one. */
export async function costOf(
  client: pg.Client,
  {
    name,
    text,
    values,
  }: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<Cost> {
  const given = values.map((value) => literalOf(client, value)).join(", ");
  const execute = `execute ${PREPARED}${given === "" ? "" : `(${given})`}`;
  await client.query("set max_parallel_workers_per_gather = 0");
  await client.query(`set plan_cache_mode = ${name === "" ? "force_custom_plan" : "auto"}`);
  await client.query("begin");
  try {
    await client.query(`prepare ${PREPARED} as ${text}`);
    for (let run = 0; run < (name === "" ? 0 : OWN_PLANS); run++) await client.query(execute);
    const count = async () => Number((await client.query(COUNTED)).rows[0].count);
    const before = await count();
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) ${execute}`,
    );
    const read = (await count()) - before;
    const [{ Plan: plan }] = rows[0]["QUERY PLAN"];
    return { read, answered: plan["Actual Rows"], spilled: plan["Temp Written Blocks"] ?? 0 };
  } finally {
    await client.query("rollback");
    await client.query(`deallocate all`);
  }
}

function literalOf(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (!Array.isArray(value)) return client.escapeLiteral(String(value));
  const items = value.map((item) => `"${String(item).replace(/(["\\])/g, "\\$1")}"`);
  return client.escapeLiteral(`{${items.join(",")}}`);
}
