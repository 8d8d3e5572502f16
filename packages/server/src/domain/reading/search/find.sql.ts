/**
 * Finds objects by their terms. The index only yields candidates; each is read and checked, so an object that was renamed is not found by
 * its old name.
 *
 * Bounds: rows of the index per prefix, ids per row, and objects read per kind. A text of several frequent words is therefore searched
 * among the latest objects of each word.
 */
import type { ReadCells, Reads } from "../../../postgres/database.ts";
import { digitsIn, idOf } from "./index-rows.ts";
import { type Hit, type SearchedKind, searchedKinds } from "./searched-kinds.ts";
import { type SearchField, searchFields, type Term } from "./terms.ts";

export interface FoundObject {
  readonly kind: string;
  readonly id: string;
  readonly hit: Hit;
  readonly matched: SearchField;
  /** Whether each word is a whole term, not its beginning. */
  readonly isExact: boolean;
}

export interface Looked {
  readonly alternatives: readonly (readonly string[])[];
  readonly kinds: readonly SearchedKind["kind"][];
  /** Whether names, addresses and descriptions count. */
  readonly withPersonal: boolean;
  /** The fields that count; all when absent. */
  readonly fields?: readonly SearchField[];
  /** The most objects of each kind. */
  readonly limit: number;
}

const ROWS_OF_WORD = 200;
const IDS_OF_ROW = 250;
const ID_BYTES = 16;
const READ_OF_KIND = 200;
/** Appended to a prefix, it sorts after every text with that prefix. */
const BEYOND = "\u{10ffff}";

/** One subquery per prefix, so that PostgreSQL stops at the limit of each. */
const candidates = {
  name: "search/candidates",
  text:
    "select k.n, r.ids from unnest($2::text[], $3::bool[], $4::text[], $5::text[]) with ordinality k(kind, is_personal, low, high, n), " +
    `lateral (select t.term, t.batch, substring(t.ids for ${IDS_OF_ROW * ID_BYTES}) as ids from search_terms t where t.platform_id = $1::uuid and t.kind = k.kind ` +
    "and t.is_personal = k.is_personal and t.term >= k.low and t.term < k.high " +
    `order by t.term, t.batch limit ${ROWS_OF_WORD}) r order by k.n, r.term, r.batch`,
};

interface Range {
  readonly kind: string;
  readonly isPersonal: boolean;
  readonly low: string;
}

export async function findByTerms(
  reads: Reads,
  platformId: string,
  looked: Looked,
): Promise<readonly FoundObject[]> {
  const words = [...new Set(looked.alternatives.flat())];
  const personal = looked.withPersonal ? [false, true] : [false];
  const ranges: readonly Range[] = looked.kinds.flatMap((kind) =>
    words.flatMap((low) => personal.map((isPersonal) => ({ kind, isPersonal, low }))),
  );
  return reads.withPermit(platformId, async (cells) => {
    const found = await idsOf(cells, platformId, ranges);
    const objects: FoundObject[] = [];
    for (const kind of searchedKinds) {
      if (!looked.kinds.includes(kind.kind)) continue;
      const ids = mayFit(
        looked.alternatives,
        (word) => found.get(`${kind.kind} ${word}`) ?? NO_IDS,
      );
      objects.push(...(await fitting(cells, platformId, { kind, ids, looked })));
    }
    return objects;
  });
}

const NO_IDS: ReadonlySet<string> = new Set();

/** By kind and word, as digits. */
async function idsOf(
  cells: ReadCells,
  platformId: string,
  ranges: readonly Range[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const values = [
    platformId,
    ranges.map(({ kind }) => kind),
    ranges.map(({ isPersonal }) => String(isPersonal)),
    ranges.map(({ low }) => low),
    ranges.map(({ low }) => low + BEYOND),
  ];
  const found = new Map<string, Set<string>>();
  for (const [n, ids] of await cells(candidates, values)) {
    const range = ranges[Number(n) - 1];
    if (range === undefined) continue;
    const key = `${range.kind} ${range.low}`;
    const set = found.get(key) ?? new Set();
    for (const id of digitsIn(ids ?? "")) set.add(id);
    found.set(key, set);
  }
  return found;
}

/**
 * The objects to read. Where all words of an alternative are frequent, those that have each of them; otherwise all objects of the rarest
 * word, because the bounds may have cut off its ids under the other words.
 */
function mayFit(
  alternatives: Looked["alternatives"],
  idsOfWord: (word: string) => ReadonlySet<string>,
): readonly string[] {
  const ids = new Set<string>();
  for (const words of alternatives) {
    const sets = words.map(idsOfWord).toSorted((left, right) => left.size - right.size);
    const [rarest = NO_IDS, ...others] = sets;
    const isRare = rarest.size <= READ_OF_KIND;
    let count = 0;
    for (const id of rarest) {
      if (!isRare && !others.every((other) => other.has(id))) continue;
      ids.add(id);
      if (++count === READ_OF_KIND) break;
    }
  }
  return [...ids].slice(0, READ_OF_KIND).map(idOf);
}

async function fitting(
  cells: ReadCells,
  platformId: string,
  {
    kind,
    ids,
    looked,
  }: { readonly kind: SearchedKind; readonly ids: readonly string[]; readonly looked: Looked },
): Promise<readonly FoundObject[]> {
  const objects: FoundObject[] = [];
  const atOnce = looked.limit + 1;
  for (let from = 0; from < ids.length && objects.length <= looked.limit; from += atOnce) {
    const rows = await cells(kind.table.selectByIds, [platformId, ids.slice(from, from + atOnce)]);
    for (const row of rows.map((cell) => kind.table.decode(cell))) {
      const match = matchOf(kind.termsOf(row), looked);
      const hit = match === undefined ? undefined : kind.hitOf(row);
      if (match !== undefined && hit !== undefined)
        objects.push({ kind: kind.kind, id: row.id, hit, ...match });
    }
  }
  return ranked(objects).slice(0, looked.limit);
}

/** Whole terms before beginnings, and deleted objects last; otherwise the order of the index. */
export function ranked(objects: readonly FoundObject[]): readonly FoundObject[] {
  const rank = ({ isExact, hit }: FoundObject) =>
    (hit.status === "DELETED" ? 2 : 0) + (isExact ? 0 : 1);
  return objects.toSorted((one, other) => rank(one) - rank(other));
}

type Match = Pick<FoundObject, "matched" | "isExact">;

/** `matched` is the field of the first word. Undefined when no alternative fits. */
function matchOf(
  terms: readonly Term[],
  { alternatives, withPersonal, fields = searchFields }: Looked,
): Match | undefined {
  const seen = terms.filter(
    ({ field, isPersonal }) => (withPersonal || !isPersonal) && fields.includes(field),
  );
  for (const words of alternatives) {
    const found = words.map(
      (word) => seen.find(({ text }) => isWhole(text, word)) ?? seen.find(startsWith(word)),
    );
    const [first] = found;
    if (first === undefined || found.includes(undefined)) continue;
    const isExact = words.every((word, place) => isWhole(found[place]?.text ?? "", word));
    return { matched: first.field, isExact };
  }
  return undefined;
}

const startsWith = (word: string) => (term: Term) => term.text.startsWith(word);

/** An amount without a currency is the whole amount. */
function isWhole(text: string, word: string): boolean {
  return text === word || (word.startsWith("#") && word.endsWith(" ") && text.startsWith(word));
}

const position = {
  name: "search/position",
  text: "select s.event_seq, s.build_kind is not null, h.event_seq from platform_heads h left join search_positions s on s.platform_id = $1::uuid where h.platform_id = $1::uuid",
};

export interface IndexState {
  /** The last event that is in the index. */
  readonly indexedTo: bigint;
  readonly lastEvent: bigint;
  /** The index is being built, so the results may be incomplete. */
  readonly isBuilding: boolean;
}

export async function indexState(reads: Reads, platformId: string): Promise<IndexState> {
  const [row] = await reads.cells(position, [platformId]);
  const isBuilding = row?.[1] === "t";
  const lastEvent = BigInt(row?.[2] ?? 0);
  return { indexedTo: isBuilding ? 0n : BigInt(row?.[0] ?? 0), lastEvent, isBuilding };
}
