/** The changes of a batch to the totals of long lists: see `tables/list-totals.ts`. */
import { type ColumnType, encodeArray, parameter } from "../postgres/columns.ts";
import type { Statement, Step } from "../postgres/pipeline.ts";
import { type Counted, dayNumberOf, kindOf } from "../tables/list-totals.ts";
import type { TableRow } from "../tables/tables.ts";
import type { Batch, DirtyRow } from "./batch.ts";

export interface TotalChange {
  readonly list: string;
  readonly day: number;
  readonly kind: string;
  readonly by: bigint;
}

const moveTotals: Statement = {
  name: "list_totals/move",
  text:
    "insert into list_totals (platform_id, list, day, kind, total) " +
    "select $1::uuid, x.* from unnest($2::text[], $3::int4[], $4::text[], $5::int8[]) x(list, day, kind, by) " +
    "on conflict (platform_id, list, day, kind) do update set total = list_totals.total + excluded.total",
};

export function totalsSteps(platformId: string, dirty: Batch["dirty"]): readonly Step[] {
  const changes = totalChanges(dirty);
  if (changes.length === 0) return [];
  const array =
    (key: keyof TotalChange, type: ColumnType): Step["parameters"][number] =>
    (writer) =>
      encodeArray(writer, changes, { type, pick: (change) => change[key] });
  return [
    {
      statement: moveTotals,
      parameters: [
        parameter("uuid", platformId),
        array("list", "text"),
        array("day", "int4"),
        array("kind", "text"),
        array("by", "int8"),
      ],
    },
  ];
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
