/** Merges newer data into shown rows, which keep their places. */
interface Steady<Row> {
  /** The shown rows with their current data. */
  readonly rows: readonly Row[];
  /** New rows: above the first shown row that still exists, or at the end of a list that grows there. */
  readonly newCount: number;
  /** True when every row is new, so there may be more than one page of new rows. */
  readonly isMore: boolean;
  /** True when a shown row has left the list, for example because its state changed. */
  readonly hasGone: boolean;
}

export function steadyRows<Row>(
  shown: readonly Row[],
  ahead: readonly Row[] | undefined,
  rowId: (row: Row) => string,
): Steady<Row> {
  if (ahead === undefined) return { rows: shown, newCount: 0, isMore: false, hasGone: false };
  const now = new Map(ahead.map((row) => [rowId(row), row]));
  const before = new Set(shown.map(rowId));
  const first = ahead.findIndex((row) => before.has(rowId(row)));
  const isMore = first === -1 && ahead.length > 0;
  const above = isMore ? ahead.length : Math.max(0, first);
  // Each new row above pushes one shown row off the end of the page.
  const kept = isMore ? [] : shown.slice(0, Math.max(0, shown.length - above));
  const gone = kept.filter((row) => !now.has(rowId(row))).length;
  const unknown = ahead.filter((row) => !before.has(rowId(row))).length;
  return {
    rows: shown.map((row) => now.get(rowId(row)) ?? row),
    // Older rows fill the places of rows that left the list, so these are not counted as new.
    newCount: Math.max(above, unknown - gone),
    isMore,
    hasGone: gone > 0,
  };
}
