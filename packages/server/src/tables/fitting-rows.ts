/** How many rows a page has. */

/**
 * The largest text of a page. A hundred businesses with fifty owners each would be 17 MB and block the event loop for over
 * 100 ms. A page beyond the bound ends early with `hasMore`.
 */
export const MAX_PAGE_CHARS = 512 * 1024;

/** The first rows within both bounds, but at least one row, so that paging always advances. */
export function fittingRows<Row extends readonly (string | null)[]>(
  rows: readonly Row[],
  bounds: { readonly limit: number; readonly maxChars: number },
): readonly Row[] {
  let chars = 0;
  for (const [index, cells] of rows.entries()) {
    if (index === bounds.limit) return rows.slice(0, index);
    for (const cell of cells) chars += cell?.length ?? 0;
    if (chars > bounds.maxChars) return rows.slice(0, Math.max(index, 1));
  }
  return rows;
}
