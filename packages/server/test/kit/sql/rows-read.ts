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
