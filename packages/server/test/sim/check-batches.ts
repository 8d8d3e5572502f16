/** Compares batches, their items, jobs and events with the model. */
import { expect } from "vitest";
import type { Model } from "./model.ts";
import type { Queue } from "./model-batches.ts";

export const BATCH_QUERIES = {
  batches:
    "select id, status, accepted, refused, completed, failed from payment_batches where platform_id = $1",
  items:
    "select i.batch_id, i.status, coalesce(i.transaction_id::text, ''), coalesce(i.error->>'code', ''), " +
    "coalesce(replace(t.details->>'counterpartTransactionId', 'Transaction:', ''), '') from payment_batch_items i " +
    "left join transactions t on t.platform_id = i.platform_id and t.id = i.transaction_id where i.platform_id = $1 " +
    "order by i.batch_id, i.position",
} as const;

type Rows = readonly (readonly string[])[];

/** Adds the payments of items, and of the runs beside them, to the model. */
export function learnBatches(
  { batches }: Model,
  {
    items,
    events,
    runs,
  }: { readonly items: Rows; readonly events: Rows; readonly runs: readonly Queue[] },
): void {
  const first = new Map<string, number>();
  for (const [at, [subject = ""]] of events.entries())
    if (!first.has(subject)) first.set(subject, at);
  const rows = items.map(
    ([batchId = "", status = "", transactionId = "", code = "", last = ""]) => ({
      ...{ batchId, status, transactionId, code },
      counterpartId: last,
    }),
  );
  batches.learn(rows, (id) => first.get(`Transaction:${id}`) ?? -1, runs);
}

/** After the states of payments are known. */
export function checkBatches({ batches }: Model, rows: Rows): void {
  expect(rows).toHaveLength(batches.all.size);
  for (const [id = "", ...shown] of rows) expect(shown, `batch ${id}`).toEqual(batches.shownOf(id));
}

export function checkBatchJobs({ batches }: Model, jobs: Map<string, readonly string[]>): void {
  for (const [id, batch] of batches.all) {
    const wanted = batches.isUnderWay(batch) ? ["run-payment-batch"] : undefined;
    expect(jobs.get(id), `the job of batch ${id}`).toEqual(wanted);
    jobs.delete(id);
  }
}

export function checkBatchEvents(
  { batches }: Model,
  emitted: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [id, batch] of batches.all) {
    const wanted = batches.isUnderWay(batch) ? undefined : ["COMPLETED"];
    expect(emitted.get(id), `events of batch ${id}`).toEqual(wanted);
  }
}
