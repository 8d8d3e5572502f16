/** What a batch changes about the lengths of long lists: see `storage/list-totals.ts`. */
import { type ColumnType, encodeArray, parameter } from "../storage/columns.ts";
import { kindOf } from "../storage/list-totals.ts";
import type { Statement, Step } from "../storage/pipeline.ts";
import type { Batch } from "./batch.ts";

export interface TotalChange {
  readonly list: string;
  readonly kind: string;
  readonly by: bigint;
}

const moveTotals: Statement = {
  name: "list_totals/move",
  text:
    "insert into list_totals (platform_id, list, kind, total) " +
    "select $1::uuid, x.* from unnest($2::text[], $3::text[], $4::int8[]) x(list, kind, by) " +
    "on conflict (platform_id, list, kind) do update set total = list_totals.total + excluded.total",
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
        array("kind", "text"),
        array("by", "int8"),
      ],
    },
  ];
}

/** One for each kind of each list that has more or fewer rows than before the batch. */
export function totalChanges(dirty: Batch["dirty"]): readonly TotalChange[] {
  const changes: TotalChange[] = [];
  for (const [{ name: list, facets }, rows] of dirty) {
    if (facets.length === 0) continue;
    const moved = new Map<string, number>();
    const move = (kind: string, by: number) => moved.set(kind, (moved.get(kind) ?? 0) + by);
    for (const { row, before } of rows.values()) {
      if (before !== undefined) move(kindOf(facets, before), -1);
      move(kindOf(facets, row), 1);
    }
    for (const [kind, by] of moved) if (by !== 0) changes.push({ list, kind, by: BigInt(by) });
  }
  return changes;
}
