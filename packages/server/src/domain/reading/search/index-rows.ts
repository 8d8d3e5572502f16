/** The rows of the index that a batch of objects makes. */
import { defineRecords, fixed, type RowOf, type TableRow } from "../../../tables/tables.ts";
import type { SearchedKind } from "./searched-kinds.ts";

const columns = {
  kind: fixed("text"),
  isPersonal: fixed("bool"),
  term: fixed("text"),
  /** Falls with each batch, so that the index has the latest objects of a term first. */
  batch: fixed("int8"),
  ids: fixed("bytes"),
};

export interface IndexRow extends RowOf<typeof columns> {}

export const searchTerms = defineRecords<IndexRow>("search_terms", columns);

export interface Indexed {
  readonly kind: SearchedKind;
  readonly rows: readonly TableRow[];
}

/** In the order of the index, so that neighbours are on one page. */
export function indexRows(batch: bigint, found: readonly Indexed[]): readonly IndexRow[] {
  return found.flatMap(({ kind, rows }) => {
    const clear = new Map<string, Buffer[]>();
    const personal = new Map<string, Buffer[]>();
    for (const row of rows) {
      const id = Buffer.from(row.id.replaceAll("-", ""), "hex");
      for (const { text, isPersonal } of kind.termsOf(row)) {
        const terms = isPersonal ? personal : clear;
        const ids = terms.get(text);
        if (ids === undefined) terms.set(text, [id]);
        else ids.push(id);
      }
    }
    return [
      ...rowsOf(clear, { kind: kind.kind, isPersonal: false, batch }),
      ...rowsOf(personal, { kind: kind.kind, isPersonal: true, batch }),
    ];
  });
}

function rowsOf(
  terms: ReadonlyMap<string, readonly Buffer[]>,
  members: Pick<IndexRow, "kind" | "isPersonal" | "batch">,
): readonly IndexRow[] {
  return [...terms.keys()].sort().map((term) => ({
    ...members,
    term,
    ids: Buffer.concat((terms.get(term) ?? []).toReversed()),
  }));
}

const ID_DIGITS = 32;

/** The ids in the text form of a cell. */
export function idsIn(cell: string): readonly string[] {
  const digits = cell.slice(2);
  const count = Math.floor(digits.length / ID_DIGITS);
  return Array.from({ length: count }, (_, index) => {
    const id = digits.slice(index * ID_DIGITS, (index + 1) * ID_DIGITS);
    return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
  });
}
