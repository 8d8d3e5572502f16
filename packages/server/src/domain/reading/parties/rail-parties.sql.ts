/** What rail payments and items in suspense are about, read with one statement a page for each kind. */
import type { Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import type { RailItem } from "../../rails/entries/rail-item.ts";
import type { RailPayment } from "../../rails/orders/rail-payment.ts";
import type { PaymentParties } from "./payment-parties.ts";
import {
  type PaidTransaction,
  partiesOfItem,
  partiesOfOrder,
  type ToldLine,
} from "./rail-parties.ts";

interface Place {
  readonly reads: Reads;
  readonly platformId: string;
}

const paidById: Statement = {
  name: "parties/payments-of-orders",
  text:
    "select r.* from unnest($2::uuid[]) k(id), lateral (select t.id, t.type, t.source, t.destination, t.agent_id, " +
    "t.outcome from transactions t where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
};

const linesById: Statement = {
  name: "parties/lines-of-items",
  text:
    "select r.* from unnest($2::uuid[]) k(id), lateral (select t.id, t.payer, t.remittance, t.reference " +
    "from rail_entries t where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
};

const counterpartiesById: Statement = {
  name: "parties/orders-of-items",
  text:
    "select r.* from unnest($2::uuid[]) k(id), lateral (select t.id, t.counterparty " +
    "from rail_payments t where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
};

export async function partiesOfOrders(
  orders: readonly RailPayment[],
  place: Place,
): Promise<readonly PaymentParties[]> {
  const ids = orders.map(({ transactionId }) => transactionId);
  const paid = await byIds(paidById, ids, place);
  return orders.map((order) =>
    partiesOfOrder(order, transactionIn(paid.get(order.transactionId ?? ""))),
  );
}

export async function partiesOfItems(
  items: readonly RailItem[],
  place: Place,
): Promise<readonly PaymentParties[]> {
  const entryIds = items.map(({ entryId }) => entryId);
  // With a line, the order is what the line was about.
  const paymentIds = items.map(({ entryId, paymentId }) => (entryId === null ? paymentId : null));
  const lines = await byIds(linesById, entryIds, place);
  const orders = await byIds(counterpartiesById, paymentIds, place);
  return items.map((item, index) => {
    const [, counterparty] = orders.get(paymentIds[index] ?? "") ?? [];
    return partiesOfItem(item, {
      line: lineIn(lines.get(item.entryId ?? "")),
      counterparty: counterparty == null ? undefined : JSON.parse(counterparty),
    });
  });
}

type Cells = readonly (string | null)[];

function transactionIn(cells: Cells | undefined): PaidTransaction | undefined {
  if (cells === undefined) return undefined;
  const [id, type, source, destination, agentId = null, outcome] = cells;
  return {
    id: id ?? "",
    type: type as PaidTransaction["type"],
    source: JSON.parse(source ?? "null"),
    destination: JSON.parse(destination ?? "null"),
    agentId,
    outcome: JSON.parse(outcome ?? "null"),
  };
}

function lineIn(cells: Cells | undefined): ToldLine | undefined {
  if (cells === undefined) return undefined;
  const [, payer, remittance = null, reference = null] = cells;
  return { payer: payer == null ? null : JSON.parse(payer), remittance, reference };
}

/** Rows by their id, which is their first cell. */
async function byIds(
  statement: Statement,
  ids: readonly (string | null)[],
  { reads, platformId }: Place,
): Promise<ReadonlyMap<string, Cells>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))];
  if (distinct.length === 0) return new Map();
  const rows = await reads.cells(statement, [platformId, distinct]);
  return new Map(rows.map((cells) => [cells[0] ?? "", cells]));
}
