import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type Document, documents } from "./document.ts";

const byId = {
  name: "documents/get",
  text:
    `select ${documents.selectList("t")} from documents t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findDocument(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Document | undefined> {
  const [document] = await reads.rows(documents, byId, [platformId, id]);
  return document;
}

const ofHolders =
  "t.holder_id in (select $2::uuid union all " +
  "select o.id from beneficial_owners o where o.platform_id = $1::uuid and o.customer_id = $2::uuid)";

const byIdOfCustomer = {
  name: "documents/get-of-customer",
  text:
    `select ${documents.selectList("t")} from documents t ` +
    `where t.platform_id = $1::uuid and t.id = $3::uuid and t.deleted_at is null and ${ofHolders}`,
};

/** A document of the customer or of one of its owners. */
export async function findDocumentOfCustomer(
  reads: Reads,
  platformId: string,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<Document | undefined> {
  const [document] = await reads.rows(documents, byIdOfCustomer, [platformId, customerId, id]);
  return document;
}

const source = tableSource(documents);

export function listDocuments(reads: Reads, query: ListQuery): Promise<ListPage<Document>> {
  return listPage(reads, source, query);
}

const ofCustomer = {
  name: "documents/of-customer-and-owners",
  text:
    `select ${documents.selectList("t")} from documents t ` +
    `where t.platform_id = $1::uuid and t.deleted_at is null and ${ofHolders} order by t.id`,
};

/** The customer's own and those of its owners. */
export function documentsOfCustomer(
  reads: Reads,
  platformId: string,
  customerId: string,
): Promise<readonly Document[]> {
  return reads.rows(documents, ofCustomer, [platformId, customerId]);
}
