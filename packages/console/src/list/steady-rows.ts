/** Rows that stay in their places, and what has come since they were read. */
interface Steady<Row> {
  /** Each row as it is now. */
  readonly rows: readonly Row[];
  /** Rows above the first one that is still there, and at the end of a list that grows there. */
  readonly newCount: number;
  /** All rows of the page are new, so there may be more of them. */
  readonly isMore: boolean;
  /** Rows that the page no longer has: of another state, for one. */
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
  // As many are pushed off the end of the page.
  const kept = isMore ? [] : shown.slice(0, Math.max(0, shown.length - above));
  const gone = kept.filter((row) => !now.has(rowId(row))).length;
  const unknown = ahead.filter((row) => !before.has(rowId(row))).length;
  return {
    rows: shown.map((row) => now.get(rowId(row)) ?? row),
    // Older rows move up to the places of those that are gone.
    newCount: Math.max(above, unknown - gone),
    isMore,
    hasGone: gone > 0,
  };
}
