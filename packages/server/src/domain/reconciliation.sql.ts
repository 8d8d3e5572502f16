/**
 * What the rows of accounts and payments say of the books. Each statement finds what does not agree on the platform $1, as
 * rows of (table, row, what); `florin verify` asks them beside what it recomputes itself.
 */

/**
 * What is set aside must belong to a payment that is not over: the postings of money that nobody waits for any more balance
 * like any others.
 *
 *   in-flight, paid-in   transfers out under way; quotes under way whose money has come; refunds that are to come, or failed
 *   uma-transit          payments that a job sends on
 */
const FORGOTTEN_MONEY = `
  with waited_for as (
    select 'in-flight and paid-in' as place, sent_currency as currency, sent_minor as minor
    from transactions
    where platform_id = $1::uuid and type = 'OUTGOING' and quote_id is null and status in ('PENDING', 'PROCESSING')
    union all
    select 'in-flight and paid-in', q.sending_currency, coalesce(q.arrived_minor, q.sending_minor)
    from quotes q
    join transactions t on t.platform_id = q.platform_id and t.id = q.transaction_id
    where q.platform_id = $1::uuid
      and case when q.status = 'PROCESSING' then q.funded_at is not null
        else t.refund ->> 'status' in ('PENDING', 'FAILED') end
    union all
    select 'uma-transit', payload ->> 'currency', (payload ->> 'minor')::int8
    from jobs where platform_id = $1::uuid and kind = 'send-uma-deposit'
  ), there as (
    select case kind when 'uma-transit' then kind else 'in-flight and paid-in' end as place, currency, balance_minor as minor
    from ledger_accounts
    where platform_id = $1::uuid and kind in ('in-flight', 'paid-in', 'uma-transit')
  ), compared as (
    select place, currency, sum(there) as there, sum(wanted) as wanted
    from (
      select place, currency, minor as there, 0 as wanted from there
      union all
      select place, currency, 0, minor from waited_for
    ) both_sides
    group by place, currency
  )
  select 'ledger_accounts', place || ' in ' || currency,
    there || ' is set aside, payments that are not over come to ' || wanted
  from compared where there <> wanted order by place, currency`;

/** Each internal account has its own account in the books, empty or not, and no account there is nobody's. */
const UNMATCHED_ACCOUNTS = `
  select 'internal_accounts', 'account ' || i.id, 'the books have no account for it in ' || i.currency
  from internal_accounts i
  left join ledger_accounts l
    on l.platform_id = i.platform_id and l.id = i.id and l.kind = 'internal' and l.currency = i.currency
  where i.platform_id = $1::uuid and l.id is null
  union all
  select 'ledger_accounts', 'account ' || l.id, 'no internal account in ' || l.currency || ' is behind it'
  from ledger_accounts l
  left join internal_accounts i on i.platform_id = l.platform_id and i.id = l.id and i.currency = l.currency
  where l.platform_id = $1::uuid and l.kind = 'internal' and i.id is null
  order by 2`;

export const reconciliations: readonly string[] = [FORGOTTEN_MONEY, UNMATCHED_ACCOUNTS];
