/**
 * What is set aside must belong to a payment that is not over: the postings of money that nobody waits for any more balance
 * like any others.
 *
 *   in-flight, paid-in   transfers out under way; quotes under way whose money has come; refunds that are to come, or failed
 *   uma-transit          payments that a job sends on
 */
import type { Client } from "pg";

const DIFFERENCES = `
  with under_way as (
    select platform_id, 'aside' as place, sent_currency as currency, sent_minor as minor
    from transactions where type = 'OUTGOING' and quote_id is null and status in ('PENDING', 'PROCESSING')
    union all
    select q.platform_id, 'aside', q.sending_currency, coalesce((j.payload ->> 'minor')::int8, q.sending_minor)
    from quotes q
    join transactions t on t.platform_id = q.platform_id and t.id = q.transaction_id
    left join jobs j on j.platform_id = q.platform_id and j.kind = 'refund-quote' and j.payload ->> 'quoteId' = q.id::text
    where case when q.status = 'PROCESSING' then q.funded_at is not null
      else t.refund ->> 'status' in ('PENDING', 'FAILED') end
    union all
    select platform_id, 'transit', payload ->> 'currency', (payload ->> 'minor')::int8
    from jobs where kind = 'send-uma-deposit'
    union all
    select platform_id, case kind when 'uma-transit' then 'transit' else 'aside' end, currency, -balance_minor
    from ledger_accounts where kind in ('in-flight', 'paid-in', 'uma-transit')
  )
  select platform_id, place, currency, sum(minor) as waited_for_and_not_there
  from under_way group by 1, 2, 3 having sum(minor) <> 0`;

export async function assertNothingForgotten(client: Client): Promise<void> {
  const { rows } = await client.query(DIFFERENCES);
  if (rows.length > 0) throw new Error(`money is set aside wrongly: ${JSON.stringify(rows)}`);
}
