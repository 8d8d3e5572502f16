/** Filters of lists by text, as conditions on the ids that the search finds. Each bounds the rows that the list reads. */
import Type from "typebox";
import type { IdKind } from "../../domain/id-kinds.ts";
import { type FoundObject, findByTerms } from "../../domain/reading/search/find.sql.ts";
import { namedBy } from "../../domain/reading/search/find-reference.sql.ts";
import { toSearchQuery } from "../../domain/reading/search/query.ts";
import { searchedKinds } from "../../domain/reading/search/searched-kinds.ts";
import { fold, type SearchField } from "../../domain/reading/search/terms.ts";
import { toWireId } from "../../std/ids.ts";
import type { Condition } from "../../tables/list-query.ts";
import { searchObjects } from "./search-objects.ts";
import type { Seeker } from "./seeker.ts";

/** A filter finds among this many objects at most, whole words and the latest first. */
export const MOST_FOUND = 200;
/** The customers, and the external accounts, whose transactions a text finds. Each is a walk of an index. */
const MOST_PARTIES = 5;

export const TEXT_FILTER = `What \`GET /search\` finds by this text, ${MOST_FOUND} objects at most. The search index follows about a second behind.`;

export const textParameter = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description, examples: ["ruiz"] }),
  );

interface Wish {
  readonly text: string;
  readonly kinds: readonly IdKind[];
  readonly fields?: readonly SearchField[];
}

/** What a text finds, without the transactions of the parties that it names. */
async function find(
  { reads, platformId, withPersonal, allowed }: Seeker,
  { text, kinds, fields }: Wish,
): Promise<readonly FoundObject[]> {
  const wanted = kinds.filter((kind) => allowed.includes(kind));
  const search = { withPersonal, limit: MOST_FOUND };
  if (fields === undefined)
    return searchObjects(reads, platformId, { ...search, text, kinds: wanted, allowed: [] });
  const asked = toSearchQuery(text);
  if ("id" in asked) return [];
  const own = searchedKinds.map(({ kind }) => kind).filter((kind) => wanted.includes(kind));
  return findByTerms(reads, platformId, { ...search, ...asked, kinds: own, fields });
}

const idsOf = (found: readonly FoundObject[], kind: IdKind) =>
  found.filter((one) => one.kind === kind).map(({ id }) => id);

/** Objects of a kind that a text finds. */
export async function whenFound(
  seeker: Seeker,
  {
    text,
    kind,
    fields,
  }: Pick<Wish, "fields"> & { readonly text: string | undefined; readonly kind: IdKind },
): Promise<Condition | undefined> {
  if (text === undefined) return undefined;
  const wish = { text, kinds: [kind], ...(fields === undefined ? {} : { fields }) };
  return { sql: "t.id = any (?::uuid[])", value: idsOf(await find(seeker, wish), kind) };
}

/** Objects of a kind that a text finds, and those that an object of another kind leads to by a column of theirs. */
export async function whenFoundBy(
  seeker: Seeker,
  {
    text,
    kind,
    by,
    column,
  }: {
    readonly text: string | undefined;
    readonly kind: IdKind;
    readonly by: "Customer" | "Transaction";
    readonly column: string;
  },
): Promise<Condition | undefined> {
  if (text === undefined) return undefined;
  const { reads, platformId, withPersonal, allowed } = seeker;
  const kinds = [kind, by].filter((each) => allowed.includes(each));
  const search = { text, kinds, allowed, withPersonal, limit: MOST_FOUND };
  const found = await searchObjects(reads, platformId, search);
  const own = idsOf(found, kind);
  const led = `(?::uuid[])[${own.length + 1}:]`;
  // A customer may have any number of accounts; a transaction has one order, or two.
  return {
    sql: [
      `t.id = any ((?::uuid[])[1:${own.length}])`,
      by === "Customer" ? { column, ids: led } : `${column} = any (${led})`,
    ],
    value: [...own, ...idsOf(found, by)],
  };
}

/** The id of the best object that a text finds, as the API writes it; an empty text, which is no id, when it finds none. */
export async function firstFound(
  { reads, platformId, withPersonal, allowed }: Seeker,
  text: string,
): Promise<string> {
  const search = { text, kinds: allowed, allowed, withPersonal, limit: 1 };
  const [first] = await searchObjects(reads, platformId, search);
  return first === undefined ? "" : toWireId(first.kind, first.id);
}

interface Sides {
  readonly text: string;
  /** The fields of a transaction that count; all when absent. */
  readonly fields?: readonly SearchField[];
  /** Whose transactions are found as well. */
  readonly parties: readonly ("Customer" | "ExternalAccount")[];
}

/** Transactions by their own words, and those of the first customers and external accounts that the text names. */
export async function whenTransactionFound(
  seeker: Seeker,
  { text, fields, parties }: Sides,
): Promise<Condition> {
  const own = await find(seeker, {
    text,
    kinds: ["Transaction"],
    ...(fields === undefined ? {} : { fields }),
  });
  const named = parties.length === 0 ? [] : await find(seeker, { text, kinds: parties });
  const customers = idsOf(named, "Customer").slice(0, MOST_PARTIES);
  const accounts = idsOf(named, "ExternalAccount").slice(0, MOST_PARTIES);
  const ids = [...customers, ...accounts, ...idsOf(own, "Transaction")];
  const at = (place: number) => `(?::uuid[])[${place + 1}]`;
  return {
    sql: [
      `t.id = any ((?::uuid[])[${customers.length + accounts.length + 1}:])`,
      ...customers.map((_, place) => `t.customer_id = ${at(place)}`),
      ...accounts.flatMap((_, place) => [
        `t.source_account_id = ${at(customers.length + place)}`,
        `t.destination_account_id = ${at(customers.length + place)}`,
      ]),
    ],
    value: ids,
  };
}

/**
 * Transactions by exactly this reference: that of `reconciliationInstructions`, which has an index; the beneficiary's, which is found by
 * the search index; and that of an entry of a bank.
 */
export async function whenReference(
  { reads, platformId }: Pick<Seeker, "reads" | "platformId">,
  reference: string | undefined,
): Promise<Condition | undefined> {
  if (reference === undefined) return undefined;
  const told = await findByTerms(reads, platformId, {
    alternatives: [[fold(reference)]],
    kinds: ["Transaction"],
    withPersonal: false,
    fields: ["reference"],
    limit: MOST_FOUND,
  });
  const named = await namedBy(reads, platformId, { text: reference, limit: MOST_FOUND });
  const booked = named.filter(({ kind }) => kind === "Transaction").map(({ id }) => id);
  const [referred, from] = [told.map(({ id }) => id), told.length + 2];
  return {
    sql: [
      "t.reference = (?::text[])[1]",
      `t.id = any (((?::text[])[2:${from - 1}])::uuid[]) and t.details ->> 'reference' = (?::text[])[1]`,
      `t.id = any (((?::text[])[${from}:])::uuid[])`,
    ],
    value: [reference, ...referred, ...booked],
  };
}
