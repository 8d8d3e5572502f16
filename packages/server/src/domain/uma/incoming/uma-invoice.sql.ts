/** Counts the invoices that an institution has asked for, before it gets another one. */
import type { Reads } from "../../../postgres/database.ts";

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
