/**
 * The dry run of a command: it needs the same rows, decides by the same function, and is undone before it answers. So it refuses what the
 * command would refuse, and afterwards nothing is in the batch that could be written: no row, event or job, no entry of the log or of an
 * audit. A dry run is submitted without an idempotency key, or its answer is intermediate, because the engine would store a final one.
 *
 * Constraints of the database are not asked: a violation that only the commit finds is no refusal of a dry run.
 */
import type { Table, TableRow } from "../tables/tables.ts";
import type { Command, Rehearsed } from "./command.ts";

/** `see` is called with the output of the command and what it has changed, before that is undone. */
export function dryRunOf<Input, Output, Seen>(
  command: Command<Input, Output>,
  see: (output: Output, changed: Rehearsed) => Seen,
): Command<Input, Seen> {
  return {
    name: command.name,
    ...(command.isLarge === true ? { isLarge: true } : {}),
    needs: (world, input) => command.needs(world, input),
    decide: (world, input) =>
      world.rehearse((soFar) => {
        const output = command.decide(world, input);
        return see(output, soFar());
      }),
  };
}

/** A row that a rehearsed part has changed: as it was before the part, and as it is after it. */
interface Changed<Row> {
  readonly before: Row | undefined;
  readonly after: Row;
}

/** The rows of one table that were changed, in the order of their first change. */
export function changedRows<Row extends TableRow>(
  { rows }: Pick<Rehearsed, "rows">,
  table: Table<Row>,
): readonly Changed<Row>[] {
  const found = new Map<string, Changed<Row>>();
  for (const { table: of, before, after } of rows) {
    if (of.name !== table.name) continue;
    const first = found.get(after.id);
    const was = first === undefined ? before : first.before;
    found.set(after.id, { before: was as Row | undefined, after: after as Row });
  }
  return [...found.values()];
}
