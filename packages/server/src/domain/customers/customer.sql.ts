/** Reads of customers. A business is read with its owners in one query. */

import type { Reads } from "../../postgres/database.ts";
import { finderOf } from "../../tables/find-row.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  listPage,
  listRows,
  roughPage,
} from "../../tables/list-query.ts";
import { type SearchedQuery, searchRows } from "../../tables/list-search.ts";
import { nestedRows } from "../../tables/nested-rows.ts";
import { beneficialOwners } from "./beneficial-owners/beneficial-owner.ts";
import { customers } from "./customer.ts";
import type { CustomerSubject } from "./customer-subject.ts";
import { customerSubject } from "./customer-subject.ts";

/** Deleted customers are found as well. */
export const findCustomer = finderOf(customers);

const owners = nestedRows(beneficialOwners, {
  alias: "o",
  where: "o.platform_id = $1::uuid and o.customer_id = t.id",
});

const source: ListSource<CustomerSubject> = {
  list: customers,
  selectList: `${customers.selectList("t")}, ${owners.select}`,
  from: "customers t",
  decode: (cells) =>
    customerSubject(customers.decode(cells), owners.decode(cells[customers.columns.length])),
};

const withOwners = {
  name: "customers/get-with-owners",
  text: `select ${source.selectList} from ${source.from} where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

/** Finds a customer, deleted or not, as the API shows it. */
export async function findCustomerSubject(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<CustomerSubject | undefined> {
  const [cells] = await reads.cells(withOwners, [platformId, id]);
  return cells === undefined ? undefined : source.decode(cells);
}

export function listCustomers(reads: Reads, query: ListQuery): Promise<ListPage<CustomerSubject>> {
  return listPage(reads, source, query);
}

/** A page by conditions that most customers may fit: they are not counted to the end. */
export function listCustomersRoughly(reads: Reads, query: ListQuery) {
  return roughPage(reads, source, query);
}

/** A page by conditions that no index serves. */
export function searchCustomers(reads: Reads, query: SearchedQuery) {
  return searchRows(reads, source, query);
}

/** A page without the count of all. */
export function customerRows(reads: Reads, query: ListQuery) {
  return listRows(reads, source, query);
}

const named = {
  name: "customers/named",
  text:
    "select (select t.id from customers t " +
    "where t.platform_id = $1::uuid and t.platform_customer_id = $2::text and t.deleted_at is null), " +
    "exists (select 1 from customers t " +
    "where t.platform_id = $1::uuid and t.platform_customer_id = $2::text and t.deleted_at is not null)",
};

/** The customers of a platform with this platform customer id: one live customer at most, and any number of deleted ones. */
export async function findCustomersNamed(
  reads: Reads,
  platformId: string,
  platformCustomerId: string,
): Promise<{ readonly liveId: string | undefined; readonly hasDeleted: boolean }> {
  const [row] = await reads.cells(named, [platformId, platformCustomerId]);
  return { liveId: row?.[0] ?? undefined, hasDeleted: row?.[1] === "t" };
}

const whoInfer = {
  name: "customers/infer-currencies",
  text:
    "select t.id from customers t where t.platform_id = $1::uuid and t.infers_currencies and t.deleted_at is null " +
    "and ($2::uuid is null or t.id > $2::uuid) order by t.id limit $3::int8",
};

/** The next live customers without a choice of currencies, by id. */
export async function listWithInferredCurrencies(
  reads: Reads,
  platformId: string,
  page: { readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await reads.cells(whoInfer, [platformId, page.after, page.limit]);
  return rows.map(([id]) => id ?? "");
}
