/** Counts of invoices: those that an institution has asked for, before it gets another one, and those that wait for money. */
import type { Reads } from "../../../postgres/database.ts";
import { BEFORE_ALL_IDS } from "../../../std/ids.ts";

/** The most invoices of one institution at a platform that have not ended. */
export const MOST_UNDER_WAY = 200;
/** The most of one institution for one customer in a row that were not paid, among those of the last minutes. */
export const MOST_UNPAID = 20;
const RECENT = "interval '10 minutes'";

const underWay = {
  name: "uma_invoices/under-way",
  text:
    "select count(*) from (select from uma_invoices i " +
    "where i.platform_id = $1::uuid and i.vasp_domain = $2::text and i.state in ('ASKED', 'WANTED', 'OPEN') " +
    `limit ${MOST_UNDER_WAY}) i`,
};

// $4 is host time, an invoice has the time of its platform.
const latest = {
  name: "uma_invoices/latest-of-customer",
  text:
    "select r.state from platform_heads h, internal_accounts a, lateral (select i.state, i.created_at from uma_invoices i " +
    "where i.platform_id = $1::uuid and i.account_id = a.id and i.vasp_domain = $2::text " +
    `and i.created_at > to_timestamp(($4::int8 + h.clock_offset_ms) / 1000.0) - ${RECENT} order by i.created_at desc limit ${MOST_UNPAID}) r ` +
    `where h.platform_id = $1::uuid and a.platform_id = $1::uuid and a.customer_id = $3::uuid order by r.created_at desc limit ${MOST_UNPAID}`,
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

/** Whether the institution may have no other invoice for the customer now. Requests at the same time may pass the bounds by a few. */
export async function hasTooManyUnpaid(
  reads: Reads,
  platformId: string,
  of: { readonly vaspDomain: string; readonly customerId: string; readonly now: number },
): Promise<boolean> {
  const { vaspDomain, customerId, now } = of;
  const [[all], states] = await Promise.all([
    reads.cells(underWay, [platformId, vaspDomain]),
    reads.cells(latest, [platformId, vaspDomain, customerId, now]),
  ]);
  const isUnpaid = states.length >= MOST_UNPAID && states.every(([state]) => state !== "PAID");
  return isUnpaid || Number(all?.[0] ?? 0) >= MOST_UNDER_WAY;
}
