/** The changes of a batch to the totals of long lists: see `tables/list-totals.ts`. */
import type { Step } from "../postgres/pipeline.ts";
import { type Counted, dayNumberOf, kindOf } from "../tables/list-totals.ts";
import type { TableRow } from "../tables/tables.ts";
import { defineUpsert } from "../tables/upsert.ts";
import type { Batch, DirtyRow } from "./batch.ts";

export interface TotalChange {
  readonly list: string;
  readonly day: number;
  readonly kind: string;
  readonly by: bigint;
}

const moveTotals = defineUpsert<TotalChange>({
  name: "list_totals/move",
  table: "list_totals",
  columns: [
    { key: "list", name: "list", type: "text" },
    { key: "day", name: "day", type: "int4" },
    { key: "kind", name: "kind", type: "text" },
    { key: "by", name: "total", type: "int8" },
  ],
  onConflict:
    "(platform_id, list, day, kind) do update set total = list_totals.total + excluded.total",
});

export function totalsSteps(platformId: string, dirty: Batch["dirty"]): readonly Step[] {
  return moveTotals(platformId, totalChanges(dirty));
}

/** One change per list, day and kind whose number of rows changed. */
export function totalChanges(dirty: Batch["dirty"]): readonly TotalChange[] {
  const changes: TotalChange[] = [];
  for (const [{ name: list, counted }, rows] of dirty) {
    if (counted === undefined) continue;
    for (const [day, moved] of movedByDay(counted, rows)) {
      for (const [kind, by] of moved)
        if (by !== 0) changes.push({ list, day, kind, by: BigInt(by) });
    }
  }
  return changes;
}

function movedByDay(counted: Counted<TableRow>, rows: ReadonlyMap<string, DirtyRow>) {
  const days = new Map<number, Map<string, number>>();
  for (const { row, before } of rows.values()) {
    const day = dayNumberOf(counted, row);
    const moved = days.get(day) ?? new Map<string, number>();
    days.set(day, moved);
    if (before !== undefined) add(moved, kindOf(counted, before), -1);
    add(moved, kindOf(counted, row), 1);
  }
  return days;
}

function add(moved: Map<string, number>, kind: string, by: number): void {
  moved.set(kind, (moved.get(kind) ?? 0) + by);
}
