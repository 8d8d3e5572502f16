/** The search of a text in everything that finds objects: ids, references, and the index of words. The best group comes first. */

import type { IdKind } from "../../domain/id-kinds.ts";
import { type FoundObject, findByTerms, ranked } from "../../domain/reading/search/find.sql.ts";
import { findById } from "../../domain/reading/search/find-id.sql.ts";
import { findByReference, findPaymentsOf } from "../../domain/reading/search/find-reference.sql.ts";
import { idInReference, toSearchQuery } from "../../domain/reading/search/query.ts";
import { searchedKinds } from "../../domain/reading/search/searched-kinds.ts";
import type { Reads } from "../../postgres/database.ts";
import { groupBy } from "../../std/group.ts";

interface Search {
  readonly text: string;
  /** The kinds that are answered. */
  readonly kinds: readonly IdKind[];
  /** The kinds that the caller may read: their payments are found by the names of customers and of external accounts. */
  readonly allowed: readonly IdKind[];
  readonly withPersonal: boolean;
  /** The most objects of each kind. */
  readonly limit: number;
}

export async function searchObjects(
  reads: Reads,
  platformId: string,
  search: Search,
): Promise<readonly FoundObject[]> {
  const { text, kinds, limit } = search;
  const asked = toSearchQuery(text);
  if ("id" in asked) {
    const wanted = kinds.filter((kind) => asked.kind === undefined || kind === asked.kind);
    return findById(reads, platformId, { id: asked.id, kinds: wanted });
  }
  const sender = kinds.includes("Transaction") ? idInReference(text) : undefined;
  const found = [
    ...(await findByReference(reads, platformId, { text, kinds, limit })),
    ...(sender === undefined
      ? []
      : await findById(reads, platformId, { id: sender, kinds: ["Transaction"] })),
    ...(await findByWords(reads, platformId, { ...search, alternatives: asked.alternatives })),
  ];
  return inGroups(found, limit);
}

/** Where the words name customers and accounts but no payment, their latest payments are found as well. */
async function findByWords(
  reads: Reads,
  platformId: string,
  {
    alternatives,
    kinds,
    allowed,
    withPersonal,
    limit,
  }: Search & { readonly alternatives: readonly (readonly string[])[] },
): Promise<readonly FoundObject[]> {
  const isWanted = (kind: string) => kinds.some((each) => each === kind);
  const isParty = (kind: IdKind) =>
    (kind === "Customer" || kind === "ExternalAccount") && allowed.includes(kind);
  const withParties = isWanted("Transaction");
  const looked = searchedKinds
    .map(({ kind }) => kind)
    .filter((kind) => isWanted(kind) || (withParties && isParty(kind)));
  const found = await findByTerms(reads, platformId, {
    alternatives,
    kinds: looked,
    withPersonal,
    limit,
  });
  const wanted = found.filter(({ kind }) => isWanted(kind));
  if (!withParties || found.some(({ kind }) => kind === "Transaction")) return wanted;
  const payments = await reads.withPermit(platformId, (cells) =>
    findPaymentsOf(cells, platformId, { parties: found, limit }),
  );
  return [...wanted, ...payments];
}

/** Each object once. A group with a whole term stands before groups with beginnings alone. */
function inGroups(found: readonly FoundObject[], limit: number): readonly FoundObject[] {
  const distinct = new Map<string, FoundObject>();
  for (const one of ranked(found)) {
    const key = `${one.kind} ${one.id}`;
    if (!distinct.has(key)) distinct.set(key, one);
  }
  const groups = [...groupBy(distinct.values(), ({ kind }) => kind).values()];
  return groups.flatMap((group) => group.slice(0, limit));
}
