/** Finds objects by references that have an index of their own, and payments by their parties. None of these is in the index of words. */
import type { ReadCells, Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import { groupBy } from "../../../std/group.ts";
import type { IdKind } from "../../id-kinds.ts";
import type { FoundObject } from "./find.sql.ts";
import { readFound } from "./find-id.sql.ts";

/** `$2` are spellings of a reference of a bank, `$3` is one for funding. A funding reference is unique in the deployment. */
const byReference: Statement = {
  name: "search/by-reference",
  text:
    "with a as (select a.account_id, a.quote_id from funding_addresses a where a.platform_id = $1::uuid and a.reference = $3::text), " +
    "e as (select e.id, e.payment_id, e.transaction_id from rail_entries e where e.platform_id = $1::uuid " +
    "and e.bank_reference = any ($2::text[]) limit $4::int8) " +
    "select 'reference', 'InternalAccount', a.account_id from a where a.account_id is not null " +
    "union all select 'reference', 'Quote', a.quote_id from a where a.quote_id is not null " +
    "union all select 'bankReference', 'Transaction', coalesce(e.transaction_id, p.transaction_id) from e " +
    "left join rail_payments p on p.platform_id = $1::uuid and p.id = e.payment_id " +
    "where coalesce(e.transaction_id, p.transaction_id) is not null " +
    "union all select 'bankReference', 'RailPayment', e.payment_id from e where e.payment_id is not null " +
    "union all select 'bankReference', 'RailEntry', e.id from e " +
    "union all select 'bankReference', 'RailItem', i.id from e " +
    "join rail_items i on i.platform_id = $1::uuid and i.entry_id = e.id",
};

interface Asked {
  readonly text: string;
  readonly kinds: readonly IdKind[];
  readonly limit: number;
}

/** What has exactly this reference: of a bank, or one that a payer quotes to fund an account or a quote. */
export async function findByReference(
  reads: Reads,
  platformId: string,
  { text, kinds, limit }: Asked,
): Promise<readonly FoundObject[]> {
  const named = await namedBy(reads, platformId, { text, limit });
  const found: FoundObject[] = [];
  await reads.withPermit(platformId, async (cells) => {
    for (const [field, rows] of groupBy(named, (one) => one.field)) {
      const wanted = groupBy(
        rows.filter(({ kind }) => kinds.includes(kind)),
        ({ kind }) => kind,
      );
      const ids = new Map([...wanted].map(([kind, own]) => [kind, own.map(({ id }) => id)]));
      found.push(...(await readFound(cells, platformId, ids, field)));
    }
  });
  return found;
}

interface Named {
  readonly field: "reference" | "bankReference";
  readonly kind: IdKind;
  readonly id: string;
}

/** The ids of what has this reference. */
export async function namedBy(
  reads: Reads,
  platformId: string,
  { text, limit }: Pick<Asked, "text" | "limit">,
): Promise<readonly Named[]> {
  const own = text.trim();
  const funding = own.replaceAll(/[\s\-./]/g, "").toUpperCase();
  const spellings = [...new Set([own, own.toUpperCase()])];
  const rows = await reads.cells(byReference, [platformId, spellings, funding, limit]);
  const named = rows.map(
    ([field, kind, id]) => ({ field, kind, id }) as { [Key in keyof Named]: Named[Key] },
  );
  return [...new Map(named.map((one) => [`${one.kind} ${one.id}`, one])).values()];
}

/** One walk of an index for each party, so that PostgreSQL stops at the limit of each. */
const ofParties: Statement = {
  name: "search/payments-of-parties",
  text:
    "select distinct p.id from (" +
    "select t.id from unnest($2::uuid[]) k(id), lateral (select t.id from transactions t where t.platform_id = $1::uuid " +
    "and t.customer_id = k.id order by t.id desc limit $4::int8) t " +
    "union all select t.id from unnest($3::uuid[]) k(id), lateral (select t.id from transactions t where t.platform_id = $1::uuid " +
    "and t.destination_account_id = k.id order by t.id desc limit $4::int8) t " +
    "union all select t.id from unnest($3::uuid[]) k(id), lateral (select t.id from transactions t where t.platform_id = $1::uuid " +
    "and t.source_account_id = k.id order by t.id desc limit $4::int8) t) p order by p.id desc limit $4::int8",
};

/** The latest payments of these customers, and those to and from these external accounts. */
export async function findPaymentsOf(
  cells: ReadCells,
  platformId: string,
  { parties, limit }: { readonly parties: readonly FoundObject[]; readonly limit: number },
): Promise<readonly FoundObject[]> {
  const ids = (kind: string) => parties.filter((one) => one.kind === kind).map(({ id }) => id);
  const [customers, accounts] = [ids("Customer"), ids("ExternalAccount")];
  const [first] = parties;
  if (first === undefined || customers.length + accounts.length === 0) return [];
  const rows = await cells(ofParties, [platformId, customers, accounts, limit]);
  const payments = rows.flatMap(([id]) => id ?? []);
  const wanted = new Map<IdKind, readonly string[]>([["Transaction", payments]]);
  const found = await readFound(cells, platformId, wanted, first.matched);
  return found.map((one) => ({ ...one, isExact: false }));
}
