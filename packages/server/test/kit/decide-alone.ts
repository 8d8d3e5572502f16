/** Runs `decide` of one command on given rows, also on states that no API call can produce. */

import { Batch } from "../../src/engine/batch.ts";
import { RowCache } from "../../src/engine/cache/row-cache.ts";
import type { Command } from "../../src/engine/command.ts";
import { GENESIS_HASH } from "../../src/engine/head.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import { enginePorts } from "../../src/engine-ports.ts";
import { randomIds } from "../../src/std/ids.ts";
import type { AnyRef, Table, TableRow } from "../../src/tables/tables.ts";

export const DECIDED_AT = Date.UTC(2026, 10, 21);

export type TableRows = readonly [table: Table<TableRow>, rows: readonly TableRow[]];

export function rowsOf<Row extends TableRow>(table: Table<Row>, ...rows: readonly Row[]) {
  return [table, rows] as unknown as TableRows;
}

export interface Scene<Input, Output> {
  readonly command: Pick<Command<Input, Output>, "needs">;
  readonly input: Input;
  readonly platformId: string;
  readonly tables: readonly TableRows[];
  readonly at?: number;
}

/** The world of the command, with the rows that its `needs` name and no others. */
export function worldFor<Input, Output>(scene: Scene<Input, Output>): Batch {
  const { command, input, platformId, at = DECIDED_AT } = scene;
  const world = new Batch({
    platformId,
    head: { seq: 4n, eventSeq: 9n, clockOffsetMs: 0, lastAt: at, chainHash: GENESIS_HASH },
    at,
    rows: new RowCache(1_000),
    ids: randomIds(),
    renderEvent: ({ id }) => JSON.stringify({ id }),
    ports: enginePorts(),
  });
  const rows = new Map<Table<TableRow>, TableRow[]>();
  for (const [table, some] of scene.tables) rows.set(table, [...(rows.get(table) ?? []), ...some]);
  const asked = new Set<string>();
  for (let mayWantMore = true; mayWantMore; ) {
    mayWantMore = false;
    for (const ref of command.needs(world, input)) {
      if (asked.has(nameOf(ref))) continue;
      asked.add(nameOf(ref));
      receive(world, ref, rows);
      mayWantMore = true;
    }
  }
  world.closeLoading();
  return world;
}

function nameOf(ref: AnyRef): string {
  return ref.kind === "row" ? `${ref.table.name} ${ref.id}` : `${ref.lookup.name} ${ref.key}`;
}

function receive(world: Batch, ref: AnyRef, rows: ReadonlyMap<Table<TableRow>, TableRow[]>): void {
  if (ref.kind === "row") {
    const found = (rows.get(ref.table) ?? []).filter(({ id }) => id === ref.id);
    world.receiveRows(ref.table, [ref.id], found);
    return;
  }
  const { lookup, key } = ref;
  const all = rows.get(lookup.table) ?? [];
  const found = all.filter((row) => lookup.holds(row) && lookup.keyOf(row) === key);
  world.receiveChildren(ref, found);
}

/** The refusal, or undefined. Fails when a refused command has written something. */
export function refusalOf(world: Batch, decide: () => unknown): Refusal | undefined {
  try {
    decide();
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    if (!world.isEmpty) throw new Error("a refusal has written something");
    return thrown;
  }
}
