/** Compares the invoices of payments from other institutions with their entries, their payments and the books. Each statement is about the platform $1. */

/** The moves of system accounts by invoices that were paid, beside those of their entries: (account, currency, minor). */
export const MOVED_BY_INVOICES = `
  select moved.* from uma_invoices i, lateral (values
    ('fees', i.asset, i.fee_minor),
    ('fx', i.asset, case when i.asset = i.currency then 0 else i.amount_minor - i.fee_minor end),
    ('fx', i.currency, case when i.asset = i.currency then 0 else -i.receiving_minor end)
  ) moved where i.platform_id = $1::uuid and i.state = 'PAID'
  union all
  select 'own-funds of connection ' || e.connection_id, e.currency, e.amount_minor - i.amount_minor
  from uma_invoices i join rail_entries e on e.platform_id = $1::uuid and e.id = i.entry_id
  where i.platform_id = $1::uuid and i.state = 'PAID' and not exists (
    select from rail_items m where m.platform_id = $1::uuid and m.entry_id = e.id and m.reason = 'OVERPAID')`;

/** The exchanges of invoices that are under way, of a production platform: (currency, minor). */
export const COMMITTED_BY_INVOICES = `
  select moved.* from uma_invoices i join platforms p on p.platform_id = i.platform_id and p.id = i.platform_id, lateral (values
    (i.asset, i.amount_minor - i.fee_minor),
    (i.currency, -i.receiving_minor)
  ) moved where i.platform_id = $1::uuid and i.state in ('ASKED', 'WANTED', 'OPEN') and i.asset <> i.currency and p.environment = 'PRODUCTION'`;

/**
 * A payment is as far as its invoice, and credits what the invoice says. One entry paid the invoice, with its amount or more; an item has
 * the rest, or own funds have all of it.
 */
const INVOICES = `
  with paired as (
    select i.id, i.state, i.ended_as, t.status, t.type, t.received_minor, t.received_currency, i.receiving_minor, i.currency,
      (select count(*) from rail_entries e where e.platform_id = $1::uuid and e.invoice_id = i.id and e.booked_as = 'INVOICE') as credits,
      (select case when e.amount_minor < i.amount_minor then e.amount_minor - i.amount_minor
          else coalesce((select e.amount_minor - i.amount_minor - sum(m.amount_minor) from rail_items m
            where m.platform_id = $1::uuid and m.entry_id = e.id and m.reason = 'OVERPAID'), 0) end
        from rail_entries e where e.platform_id = $1::uuid and e.id = i.entry_id) as unexplained
    from uma_invoices i left join transactions t on t.platform_id = $1::uuid and t.id = i.id
    where i.platform_id = $1::uuid
  )
  select 'uma_invoices', 'invoice ' || id, what
  from paired, lateral (values
    (case when type is distinct from 'INCOMING' or received_minor <> receiving_minor or received_currency <> currency
      then 'its payment is not there, or has another amount' end),
    (case when not (case state when 'PAID' then status in ('COMPLETED', 'REFUNDED', 'FAILED')
        when 'CLOSED' then status in ('FAILED', 'REJECTED') else status = 'PENDING' end)
      then 'it is ' || state || ', its payment ' || coalesce(status, 'not there') end),
    (case when credits <> case state when 'PAID' then 1 else 0 end then 'it is ' || state || ', and ' || credits || ' entries credited it' end),
    (case when state = 'PAID' and unexplained is distinct from 0 then 'the entry that paid it leaves ' || coalesce(unexplained::text, 'nothing') || ' unexplained' end)
  ) found (what)
  where what is not null order by id`;

export const invoiceReconciliations: readonly string[] = [INVOICES];
