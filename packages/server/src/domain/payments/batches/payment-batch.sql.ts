import type { Reads } from "../../../postgres/database.ts";
import {
  type Condition,
  type ListPage,
  type ListQuery,
  rowListerOf,
} from "../../../tables/list-query.ts";
import type { FundsNeed } from "./batch-funds.ts";
import {
  type BatchItem,
  batchItems,
  cancelledIn,
  type PaymentBatch,
  type ShownStatus,
  waitingIn,
} from "./payment-batch.ts";

const listRows = rowListerOf(batchItems);

interface ItemPage extends Pick<ListQuery, "platformId" | "after" | "limit"> {
  readonly status: ShownStatus | undefined;
}

/** A page of items in their order. Their total is a count of the batch. */
export async function listBatchItems(
  reads: Reads,
  batch: PaymentBatch,
  { status, ...page }: ItemPage,
): Promise<ListPage<BatchItem>> {
  const totalCount = totalOf(batch, status);
  if (totalCount === 0) return { rows: [], hasMore: false, totalCount };
  const conditions = conditionsOf(batch, status);
  return { ...(await listRows(reads, { ...page, order: "asc", conditions })), totalCount };
}

function totalOf(batch: PaymentBatch, status: ShownStatus | undefined): number {
  switch (status) {
    case undefined:
      return batch.total;
    case "WAITING":
      return waitingIn(batch);
    case "CREATED":
      return batch.accepted;
    case "REFUSED":
      return batch.refused;
    case "CANCELLED":
      return cancelledIn(batch);
  }
}

/** Items run in their order, so those that have run stand before the others: ranges of the primary key. */
function conditionsOf(
  { id, ranItemId, lastItemId }: PaymentBatch,
  status: ShownStatus | undefined,
): readonly Condition[] {
  const ran = ranItemId ?? id;
  const between = (from: string, to: string): readonly Condition[] => [
    { sql: "t.id > ?::uuid", value: from },
    { sql: "t.id <= ?::uuid", value: to },
  ];
  switch (status) {
    case undefined:
      return between(id, lastItemId);
    case "CREATED":
      return [...between(id, ran), { sql: "t.status = 'CREATED'" }];
    case "REFUSED":
      return [{ sql: "t.batch_id = ?::uuid", value: id }, { sql: "t.status = 'REFUSED'" }];
    case "WAITING":
    case "CANCELLED":
      return between(ran, lastItemId);
  }
}

const nextIds = {
  name: "payment_batch_items/next",
  text:
    "select t.id from payment_batch_items t where t.platform_id = $1::uuid and t.id > $2::uuid and t.id <= $3::uuid " +
    "order by t.id limit $4::int8",
};

/** The ids of the next items that have not run, in their order. */
export async function nextItemIds(
  reads: Reads,
  platformId: string,
  { batch, limit }: { readonly batch: PaymentBatch; readonly limit: number },
): Promise<readonly string[]> {
  const after = batch.ranItemId ?? batch.id;
  const rows = await reads.cells(nextIds, [platformId, after, batch.lastItemId, limit]);
  return rows.map(([id]) => String(id));
}

const funds = {
  name: "payment_batch_items/funds",
  text:
    "select t.source_id, sum(t.amount_minor)::text from payment_batch_items t where t.platform_id = $1::uuid and t.id > $2::uuid " +
    "and t.id <= $3::uuid group by t.source_id",
};

/** What the items of each source account need. Items never change in this, so it may be read before the command. */
export async function fundsNeededBy(
  reads: Reads,
  platformId: string,
  { id, lastItemId }: PaymentBatch,
): Promise<readonly FundsNeed[]> {
  const rows = await reads.cells(funds, [platformId, id, lastItemId]);
  return rows.map(([accountId, minor]) => ({
    accountId: String(accountId),
    minor: BigInt(String(minor)),
  }));
}
