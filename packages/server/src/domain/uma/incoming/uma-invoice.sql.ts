/** Counts the invoices that an institution has asked for, before it gets another one. */
import type { Reads } from "../../../postgres/database.ts";
import { BEFORE_ALL_IDS } from "../../../std/ids.ts";

/** The most invoices of one institution at a platform that have not ended, and of those the most for one customer. */
export const MOST_UNDER_WAY = 200;
export const MOST_OF_CUSTOMER = 20;

const underWay = {
  name: "uma_invoices/under-way",
  text:
    "select count(*), count(*) filter (where t.customer_id = $3::uuid) from (select i.id from uma_invoices i " +
    "where i.platform_id = $1::uuid and i.vasp_domain = $2::text and i.state in ('ASKED', 'WANTED', 'OPEN') " +
    `limit ${MOST_UNDER_WAY}) i join transactions t on t.platform_id = $1::uuid and t.id = i.id`,
};

const ofConnection = {
  name: "uma_invoices/under-way-of-connection",
  text: "select count(*) from uma_invoices i where i.platform_id = $1::uuid and i.connection_id = $2::uuid and i.state in ('ASKED', 'WANTED', 'OPEN')",
};

/** The invoices that a connection has made, or is to make, and that have not ended. */
export async function countUnderWay(
  reads: Reads,
  platformId: string,
  connectionId: string,
): Promise<number> {
  const [cells] = await reads.cells(ofConnection, [platformId, connectionId]);
  return Number(cells?.[0] ?? 0);
}

const openOf = {
  name: "uma_invoices/open-of-holder",
  text:
    "select i.id from uma_invoices i join internal_accounts a on a.platform_id = $1::uuid and a.id = i.account_id " +
    "where i.platform_id = $1::uuid and i.state = 'OPEN' and $2::uuid in (a.id, a.customer_id) and i.id > $3::uuid " +
    "order by i.id limit $4::int4",
};

/** The ids of open invoices of an account, or of all accounts of a customer, in the order of their ids. */
export async function openInvoicesOf(
  reads: Reads,
  platformId: string,
  of: { readonly holderId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const values = [platformId, of.holderId, of.after ?? BEFORE_ALL_IDS, of.limit];
  const rows = await reads.cells(openOf, values);
  return rows.map(([id]) => id ?? "");
}

/** Whether the institution has as many invoices under way as it may have. Requests at the same time may pass it by a few. */
export async function hasTooManyUnderWay(
  reads: Reads,
  platformId: string,
  of: { readonly vaspDomain: string; readonly customerId: string },
): Promise<boolean> {
  const [cells] = await reads.cells(underWay, [platformId, of.vaspDomain, of.customerId]);
  const [all = "0", ofCustomer = "0"] = cells ?? [];
  return BigInt(all ?? 0) >= MOST_UNDER_WAY || BigInt(ofCustomer ?? 0) >= MOST_OF_CUSTOMER;
}
