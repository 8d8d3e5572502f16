/** One command on given rows, without a database: what it answers, how it is refused, and what it has written. */
import type { Batch } from "../../src/engine/batch.ts";
import type { Actor, Command } from "../../src/engine/command.ts";
import type { Refusal } from "../../src/engine/refusal.ts";
import type { Table, TableRow } from "../../src/tables/tables.ts";
import { refusalOf, type TableRows, worldFor } from "./decide-alone.ts";

export interface Decided<Output> {
  readonly world: Batch;
  readonly refusal: Refusal | undefined;
  /** Undefined where the command is refused, or answers nothing. */
  readonly output: Output | undefined;
}

export interface DecidedScene<Input, Output> {
  readonly command: Command<Input, Output>;
  readonly input: Input;
  readonly platformId: string;
  readonly tables: readonly TableRows[];
  readonly actor?: Actor;
}

export function decided<Input, Output>(scene: DecidedScene<Input, Output>): Decided<Output> {
  const { command, input, actor = { kind: "operator", id: "none" } } = scene;
  const world = worldFor(scene);
  world.begin(actor, 5n);
  const made: { output?: Output } = {};
  const refusal = refusalOf(world, () => {
    made.output = command.decide(world, input);
  });
  return { world, refusal, output: made.output };
}

/** The rows of a table that the command has written. */
export function written<Row extends TableRow>(world: Batch, table: Table<Row>): readonly Row[] {
  const rows = world.dirty.get(table as unknown as Table<TableRow>);
  return [...(rows?.values() ?? [])].map(({ row }) => row) as unknown as readonly Row[];
}

/** Each fault alone, and with all that are refused after it: the first one must be the answer to both. */
export function inOrder<Fault extends object>(
  faults: readonly (readonly [expected: string, fault: Fault])[],
): readonly (readonly [expected: string, how: "alone" | "with all after it", fault: Fault])[] {
  return faults.flatMap(([expected, alone], place) => {
    const later = faults.slice(place).map(([, fault]) => fault);
    const merged = Object.assign({}, ...later.toReversed()) as Fault;
    return [
      [expected, "alone", alone],
      [expected, "with all after it", merged],
    ] as const;
  });
}

/** A refusal as a table of tests names it: the code, and the first of these details that it has. */
export function named(refusal: Refusal | undefined, ...details: readonly string[]): string {
  if (refusal === undefined) return "decided";
  const told: Readonly<Record<string, unknown>> = refusal.details ?? {};
  const value = details.map((key) => told[key]).find((one) => one !== undefined);
  return [refusal.code, ...(value === undefined ? [] : [String(value)])].join(" ");
}
