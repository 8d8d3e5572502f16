/** Replaces sealed values by newly sealed ones in a command, so that no concurrent change is lost. */
import type { Table, TableRow } from "../tables/tables.ts";
import type { Command } from "./command.ts";

export interface ResealInput {
  readonly table: Table<TableRow>;
  /** The member of a row with the sealed value. */
  readonly column: string;
  readonly secrets: readonly ResealedSecret[];
}

export interface ResealedSecret {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the number of replaced values; a value that changed meanwhile is skipped. Refuses nothing. */
export const resealRows: Command<ResealInput, number> = {
  name: "reseal-rows",
  needs: (_world, { table, secrets }) => secrets.map(({ id }) => table.ref(id)),
  decide(world, { table, column, secrets }) {
    let count = 0;
    for (const { id, before, after } of secrets) {
      const row = world.find(table.ref(id)) as (TableRow & Record<string, unknown>) | undefined;
      if (row?.[column] !== before) continue;
      world.put(table, { ...row, [column]: after } as TableRow);
      count += 1;
    }
    return count;
  },
};
