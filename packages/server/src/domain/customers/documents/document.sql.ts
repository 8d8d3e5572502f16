import type { Reads } from "../../../postgres/database.ts";
import { liveFinderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type Document, documents } from "./document.ts";

export const findDocument = liveFinderOf(documents);

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

export const listDocuments = listerOf(documents);

const ofCustomer = {
  name: "documents/of-customer-and-owners",
  text:
    `select ${documents.selectList("t")} from documents t ` +
    `where t.platform_id = $1::uuid and t.deleted_at is null and ${ofHolders} order by t.id`,
};

/** The documents of the customer and of its owners. */
export function documentsOfCustomer(
  reads: Reads,
  platformId: string,
  customerId: string,
): Promise<readonly Document[]> {
  return reads.rows(documents, ofCustomer, [platformId, customerId]);
}
