/** Reconciles batches of payments with their items, and items with the payments that were made of them. */

/** The counts of a batch are those of its items and of their payments. */
const COUNTS = `
  select 'payment_batches', b.id::text, 'counts ' || b.accepted || ' accepted, ' || b.refused || ' refused, ' || b.completed || ' completed, ' ||
    b.failed || ' failed; its items say ' || n.accepted || ', ' || n.refused || ', ' || n.completed || ', ' || n.failed
  from payment_batches b, lateral (
    select count(*) filter (where i.status = 'CREATED') as accepted, count(*) filter (where i.status = 'REFUSED') as refused,
      count(*) filter (where t.status = 'COMPLETED') as completed, count(*) filter (where t.status = 'FAILED') as failed, count(*) as total
    from payment_batch_items i left join transactions t on t.platform_id = $1::uuid and t.id = i.transaction_id
    where i.platform_id = $1::uuid and i.id > b.id and i.id <= b.last_item_id and i.batch_id = b.id
  ) n
  where b.platform_id = $1::uuid
    and (b.accepted, b.refused, b.completed, b.failed, b.total) <> (n.accepted, n.refused, n.completed, n.failed, n.total)
  order by b.id`;

/** Each item that was paid has one payment, which names it, and each payment that names a batch is of one item. */
const PAID_ONCE = `
  with named as (
    select t.details ->> 'batchId' as batch_id, t.details ->> 'batchReference' as reference, t.id
    from transactions t
    where t.platform_id = $1::uuid and t.type = 'OUTGOING' and t.details ->> 'batchId' is not null
      and exists (select from payment_batches b where b.platform_id = $1::uuid)
  )
  select 'payment_batch_items', coalesce(i.reference, n.reference),
    case when i.id is null then 'a payment names it that is not its own' else 'its payment does not name it' end
  from (select * from payment_batch_items where platform_id = $1::uuid and status = 'CREATED') i
  full join named n on n.id = i.transaction_id and n.batch_id = 'PaymentBatch:' || i.batch_id and n.reference = i.reference
  where i.id is null or n.id is null
  order by 2, 3`;

/** A batch that has not ended has a job, which runs it or waits for its time. */
const JOBS_OF_BATCHES = `
  select 'payment_batches', b.id::text, 'no job runs it'
  from payment_batches b
  where b.platform_id = $1::uuid and b.status in ('PENDING', 'PROCESSING')
    and not exists (select from jobs j where j.platform_id = $1::uuid and j.id = b.job_id)
  order by b.id`;

export const batchReconciliations: readonly string[] = [COUNTS, PAID_ONCE, JOBS_OF_BATCHES];
