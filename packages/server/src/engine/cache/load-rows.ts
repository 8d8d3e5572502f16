/** The statements that fetch rows by reference, and the decoding of their results. */

import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Step, StepResult } from "../../postgres/pipeline.ts";
import { groupBy } from "../../std/group.ts";
import type { AnyRef, Children, Ref, Table, TableRow } from "../../tables/tables.ts";

export interface RowReceiver {
  /** Receives the existing rows of these ids. */
  receiveRows(table: Table<TableRow>, ids: readonly string[], rows: readonly TableRow[]): void;
  receiveChildren(children: Children<TableRow>, rows: readonly TableRow[]): void;
}

export interface RowLoad {
  readonly steps: readonly Step[];
  /** Hands over the results of the steps, in their order. */
  receive(results: readonly StepResult[], receiver: RowReceiver): void;
}

/** One statement per table, and one per lookup. */
export function rowLoad(ofPlatform: string, refs: readonly AnyRef[]): RowLoad {
  const platformId = parameter("uuid", ofPlatform);
  const steps: Step[] = [];
  const receivers: ((rows: StepResult["rows"], receiver: RowReceiver) => void)[] = [];
  for (const [table, wanted] of groupBy(refs.filter(isRow), (ref) => ref.table)) {
    const ids = [...new Set(wanted.map((ref) => ref.id))].sort();
    steps.push({
      statement: table.selectByIds,
      parameters: [platformId, arrayParameter("uuid", ids)],
    });
    receivers.push((rows, receiver) => receiver.receiveRows(table, ids, decodeAll(table, rows)));
  }
  for (const [lookup, wanted] of groupBy(refs.filter(isChildren), (ref) => ref.lookup)) {
    const keys = [...new Set(wanted.map((ref) => ref.key))];
    steps.push({
      statement: lookup.select,
      parameters: [platformId, arrayParameter(lookup.keyType, keys)],
    });
    receivers.push((rows, receiver) => {
      const found = groupBy(decodeAll(lookup.table, rows), (row) => lookup.keyOf(row));
      for (const key of keys) receiver.receiveChildren(lookup.of(key), found.get(key) ?? []);
    });
  }
  return {
    steps,
    receive(results, receiver) {
      for (const [index, receive] of receivers.entries()) {
        receive(results[index]?.rows ?? [], receiver);
      }
    },
  };
}

function decodeAll(table: Table<TableRow>, rows: StepResult["rows"]): TableRow[] {
  return rows.map((cells) => table.decode(cells));
}

export function isRow(ref: AnyRef): ref is Ref<TableRow> {
  return ref.kind === "row";
}

function isChildren(ref: AnyRef): ref is Children<TableRow> {
  return ref.kind === "children";
}
