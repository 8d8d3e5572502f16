/** Rows of a commit by the object that an event names. */
import type { WrittenRows } from "../../engine/engine.ts";
import type { Table, TableRow } from "../../tables/tables.ts";

export interface WrittenRow<Row> {
  readonly row: Row;
  readonly before: Row | undefined;
}

/** Undefined when the commit did not write it. */
export function writtenRow<Row extends TableRow>(
  written: WrittenRows,
  table: Table<Row>,
  subject: string,
): WrittenRow<Row> | undefined {
  const rows = written.get(table as unknown as Table<TableRow>);
  return rows?.get(subject.slice(subject.indexOf(":") + 1)) as WrittenRow<Row> | undefined;
}
