/** The rows that a batch of objects adds to the index. */
import { defineRecords, fixed, type RowOf, type TableRow } from "../../../tables/tables.ts";
import type { SearchedKind } from "./searched-kinds.ts";

const columns = {
  kind: fixed("text"),
  isPersonal: fixed("bool"),
  term: fixed("text"),
  /** Lower with each batch, so that the latest objects of a term come first in the index. */
  batch: fixed("int8"),
  ids: fixed("bytes"),
};

export interface IndexRow extends RowOf<typeof columns> {}

export const searchTerms = defineRecords<IndexRow>("search_terms", columns);

type Ids = Map<string, Buffer[]>;

/** The terms of objects, each with the ids of the objects that have it. */
export class IndexedTerms {
  readonly #kinds = new Map<string, { readonly clear: Ids; readonly personal: Ids }>();

  add({ kind, termsOf }: SearchedKind, row: TableRow): void {
    const terms = termsOf(row);
    if (terms.length === 0) return;
    const id = Buffer.from(row.id.replaceAll("-", ""), "hex");
    let found = this.#kinds.get(kind);
    if (found === undefined) {
      found = { clear: new Map(), personal: new Map() };
      this.#kinds.set(kind, found);
    }
    for (const { text, isPersonal } of terms) {
      const of = isPersonal ? found.personal : found.clear;
      const ids = of.get(text);
      if (ids === undefined) of.set(text, [id]);
      else ids.push(id);
    }
  }

  /** Rows in the order of the index, so that neighbours are on one page. */
  rows(batch: bigint): readonly IndexRow[] {
    return [...this.#kinds].flatMap(([kind, { clear, personal }]) => [
      ...rowsOf(clear, { kind, isPersonal: false, batch }),
      ...rowsOf(personal, { kind, isPersonal: true, batch }),
    ]);
  }
}

function rowsOf(
  terms: Ids,
  members: Pick<IndexRow, "kind" | "isPersonal" | "batch">,
): readonly IndexRow[] {
  return [...terms.keys()].sort().map((term) => ({
    ...members,
    term,
    ids: Buffer.concat((terms.get(term) ?? []).toReversed()),
  }));
}

const ID_DIGITS = 32;

/** The ids in the text form of a cell, as digits. A frequent word has tens of thousands of them, and few are read: `idOf` writes those as ids. */
export function digitsIn(cell: string): readonly string[] {
  const count = Math.floor((cell.length - 2) / ID_DIGITS);
  return Array.from({ length: count }, (_, index) =>
    cell.slice(2 + index * ID_DIGITS, 2 + (index + 1) * ID_DIGITS),
  );
}

export function idOf(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
