/** Compares the invoices of payments from other institutions with their entries, their payments and the books. Each statement is about the platform $1. */

/** What came for the invoice i as parts of its amount, before the entry that paid it. */
export const ADDED_UP = `coalesce((
  select sum(m.amount_minor) from json_array_elements_text(i.parts) part join rail_items m on m.platform_id = $1::uuid and m.id = part::uuid
  where m.resolution #>> '{parts,0,transactionId}' = 'Transaction:' || i.id), 0)::int8`;

/** Money that a person credited for an invoice: the parts INVOICE of resolutions that have a price of their own. */
const CREDITED = `
  select i.id as item_id, i.entry_id, i.connection_id, i.currency as asset, substr(part ->> 'invoiceId', 12) as invoice_id, part ->> 'price' as price,
    part ->> 'transactionId' as transaction_id, (part ->> 'minor')::int8 as minor, (part ->> 'receivedMinor')::int8 as received_minor,
    (part ->> 'feeMinor')::int8 as fee_minor, (part ->> 'multiplier')::numeric as multiplier
  from rail_items i, json_array_elements(i.resolution -> 'parts') part
  where i.platform_id = $1::uuid and part ->> 'kind' = 'INVOICE' and part ->> 'feeMinor' is not null`;

/** The moves of system accounts by invoices that were paid, beside those of their entries: (account, currency, minor). */
export const MOVED_BY_INVOICES = `
  select moved.* from uma_invoices i, lateral (values
    ('fees', i.asset, i.fee_minor),
    ('fx', i.asset, case when i.asset = i.currency then 0 else i.amount_minor - i.fee_minor end),
    ('fx', i.currency, case when i.asset = i.currency then 0 else -i.receiving_minor end)
  ) moved where i.platform_id = $1::uuid and i.state = 'PAID'
  union all
  select 'own-funds of connection ' || e.connection_id, e.currency, e.amount_minor + ${ADDED_UP} - i.amount_minor
  from uma_invoices i join rail_entries e on e.platform_id = $1::uuid and e.id = i.entry_id
  where i.platform_id = $1::uuid and i.state = 'PAID' and not exists (
    select from rail_items m where m.platform_id = $1::uuid and m.entry_id = e.id and m.reason = 'OVERPAID')
  union all
  select moved.* from (${CREDITED}) c join uma_invoices i on i.platform_id = $1::uuid and i.id::text = c.invoice_id, lateral (values
    ('fees', c.asset, c.fee_minor),
    ('fx', c.asset, case when c.asset = i.currency then 0 else c.minor - c.fee_minor end),
    ('fx', i.currency, case when c.asset = i.currency then 0 else -c.received_minor end)
  ) moved`;

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
    select i.id, i.state, i.ended_as, c.status as connection_status, t.status, t.type, t.received_minor, t.received_currency, i.receiving_minor, i.currency,
      (select count(*) from rail_entries e where e.platform_id = $1::uuid and e.invoice_id = i.id and e.booked_as = 'INVOICE') as credits,
      (select case when came.minor < i.amount_minor then came.minor - i.amount_minor
          else coalesce((select came.minor - i.amount_minor - sum(m.amount_minor) from rail_items m
            where m.platform_id = $1::uuid and m.entry_id = e.id and m.reason = 'OVERPAID'), 0) end
        from rail_entries e, lateral (select e.amount_minor + ${ADDED_UP}) came (minor) where e.platform_id = $1::uuid and e.id = i.entry_id) as unexplained
    from uma_invoices i left join transactions t on t.platform_id = $1::uuid and t.id = i.id
    left join rail_connections c on c.platform_id = $1::uuid and c.id = i.connection_id
    where i.platform_id = $1::uuid
  )
  select 'uma_invoices', 'invoice ' || id, what
  from paired, lateral (values
    (case when type is distinct from 'INCOMING' or received_minor <> receiving_minor or received_currency <> currency
      then 'its payment is not there, or has another amount' end),
    (case when not (case state when 'PAID' then status in ('COMPLETED', 'REFUNDED', 'FAILED')
        when 'CLOSED' then status in ('FAILED', 'REJECTED') else status = 'PENDING' end)
      then 'it is ' || state || ', its payment ' || coalesce(status, 'not there') end),
    (case when connection_status = 'ARCHIVED' and state in ('ASKED', 'WANTED', 'OPEN') then 'it is ' || state || ' and its connection is archived' end),
    (case when credits <> case state when 'PAID' then 1 else 0 end then 'it is ' || state || ', and ' || credits || ' entries credited it' end),
    (case when state = 'PAID' and unexplained is distinct from 0 then 'the entry that paid it leaves ' || coalesce(unexplained::text, 'nothing') || ' unexplained' end)
  ) found (what)
  where what is not null order by id`;

/**
 * Money that a person credited for an invoice came by the connection and in the asset of the invoice, and is a transaction from its payer to
 * its account. The amount is the fee and what the price asks for; at the price of the invoice it is the share that its amount has.
 */
const CREDITED_BY_PEOPLE = `
  select 'rail_items', 'item ' || c.item_id, what
  from (${CREDITED}) c
  left join uma_invoices i on i.platform_id = $1::uuid and i.id::text = c.invoice_id and i.connection_id = c.connection_id and i.asset = c.asset
  left join transactions t on t.platform_id = $1::uuid and 'Transaction:' || t.id = c.transaction_id
  left join transactions p on p.platform_id = $1::uuid and p.id = i.id, lateral (values
    (case when i.id is null then 'it is credited for ' || c.invoice_id || ', which is no invoice of its connection and asset' end),
    (case when (t.type, t.received_minor, t.received_currency, t.destination_account_id, t.source ->> 'umaAddress', t.details ->> 'railEntryId')
        is distinct from ('INCOMING', c.received_minor, i.currency, i.account_id, p.source ->> 'umaAddress', 'RailEntry:' || c.entry_id)
      then 'its ' || c.transaction_id || ' is not the credit of ' || c.received_minor || ' to the account of its invoice' end),
    (case when c.minor - c.fee_minor <> ceil(c.received_minor * c.multiplier) then 'its price does not come to its amount' end),
    (case when c.price = 'QUOTED' and (c.multiplier <> i.multiplier::numeric or c.received_minor <> div(c.minor::numeric * i.receiving_minor, i.amount_minor))
      then 'it is not credited at the price of its invoice' end)
  ) found (what)
  where what is not null order by c.item_id`;

/** Money that was added up came for an invoice that is paid, in its asset and by its connection, and is the whole of its item. */
const PARTS_ADDED_UP = `
  select 'rail_items', 'item ' || m.id, 'it is added up for ' || (part ->> 'invoiceId') || ', which it did not pay'
  from rail_items m, json_array_elements(m.resolution -> 'parts') part
  where m.platform_id = $1::uuid and part ->> 'kind' = 'INVOICE' and part ->> 'feeMinor' is null and not exists (
    select from uma_invoices i join rail_entries e on e.platform_id = $1::uuid and e.id = m.entry_id and e.invoice_id = i.id, json_array_elements_text(i.parts) own
    where i.platform_id = $1::uuid and 'UmaInvoice:' || i.id = part ->> 'invoiceId' and 'Transaction:' || i.id = part ->> 'transactionId' and i.state = 'PAID'
      and own = m.id::text and m.connection_id = i.connection_id and m.currency = i.asset)
  order by 2`;

/** The payout that takes the money of a payment on is the one that the payment names, with its amount and between its accounts. */
const TAKEN_ON = `
  with payouts as (
    select t.id, t.details ->> 'depositOf' as of, t.sent_minor, t.sent_currency, t.source_account_id, t.destination_account_id
    from transactions t where t.platform_id = $1::uuid and t.type = 'OUTGOING' and t.details ->> 'depositOf' is not null
  ), paid as (
    select t.id, t.outcome ->> 'depositTransactionId' as named, t.received_minor, t.received_currency, t.destination_account_id, t.details ->> 'depositAccountId' as deposit_account
    from transactions t
    where t.platform_id = $1::uuid and t.type = 'INCOMING' and t.outcome ->> 'depositTransactionId' is not null
  )
  select 'transactions', 'payment ' || coalesce(o.id, p.id), 'it does not take on the money of a payment, or not as that payment says'
  from payouts o full join paid p on 'Transaction:' || p.id = o.of and p.named = 'Transaction:' || o.id
  where (o.sent_minor, o.sent_currency, o.source_account_id, 'ExternalAccount:' || o.destination_account_id)
    is distinct from (p.received_minor, p.received_currency, p.destination_account_id, p.deposit_account)
  order by 2`;

export const invoiceReconciliations: readonly string[] = [
  INVOICES,
  TAKEN_ON,
  CREDITED_BY_PEOPLE,
  PARTS_ADDED_UP,
];
