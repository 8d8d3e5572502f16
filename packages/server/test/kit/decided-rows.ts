/** Rows of one partition that commands change one after another, without a database: what a history of commands leaves. */
import type { Actor, Command } from "../../src/engine/command.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import type { Table, TableRow } from "../../src/tables/tables.ts";
import { type TableRows, worldFor } from "./decide-alone.ts";

export class DecidedRows {
  readonly #platformId: string;
  readonly #tables = new Map<Table<TableRow>, Map<string, TableRow>>();

  constructor(platformId: string, tables: readonly TableRows[]) {
    this.#platformId = platformId;
    for (const [table, rows] of tables)
      this.#tables.set(table, new Map(rows.map((row) => [row.id, row])));
  }

  all<Row extends TableRow>(table: Table<Row>): readonly Row[] {
    const key = table as unknown as Table<TableRow>;
    return [...(this.#tables.get(key)?.values() ?? [])] as unknown as readonly Row[];
  }

  /** What the command answers, or its refusal, which changes nothing. */
  run<Input, Output>(
    command: Command<Input, Output>,
    input: Input,
    { actor, at }: { readonly actor: Actor; readonly at: number },
  ): Output | Refusal {
    const tables = [...this.#tables].map(([table, rows]): TableRows => [table, [...rows.values()]]);
    const world = worldFor({ command, input, platformId: this.#platformId, tables, at });
    world.begin(actor, 5n);
    try {
      const output = command.decide(world, input);
      for (const [table, changed] of world.dirty) {
        const rows = this.#tables.get(table) ?? new Map<string, TableRow>();
        for (const [id, { row }] of changed) rows.set(id, row);
        this.#tables.set(table, rows);
      }
      return output;
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown;
      throw thrown;
    }
  }
}
