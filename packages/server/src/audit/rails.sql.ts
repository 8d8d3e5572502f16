/**
 * Compares the orders to connections with their transactions, and the routing rows with the routes and connections that they copy. Each
 * statement is about the platform $1.
 */

import { OPEN_IN_SQL } from "../domain/rails/orders/rail-payment.sql.ts";
import { ORDER_SENT } from "../domain/rails/orders/rail-payment.ts";
import { ADDED_UP } from "./invoices.sql.ts";

/**
 * An order and its transaction agree on the direction, the amount and the progress of the payment. A quote proceeds when the order that
 * collects its money has settled. An order was sent at most once, and an open order belongs to a connection that is not archived. Orders
 * that give money back: see MONEY_BACK.
 */
const ORDERS_AND_TRANSACTIONS = `
  with paired as (
    select r.id, r.state, r.direction, r.moves_nothing, r.release_job_id is not null as is_held,
      exists (select from rail_items i where i.platform_id = $1::uuid and i.payment_id = r.id and i.entry_id is null) as is_aside, r.amount_minor, r.currency, c.status as connection_status, t.id as transaction_id,
      t.status, t.type, t.refund ->> 'status' as refund_status, t.quote_id,
      coalesce(case when t.quote_id is null or r.direction = 'PULL' then t.sent_minor else coalesce((q.settlement ->> 'minor')::int8, t.received_minor) end, 0) as ordered_minor,
      case when t.quote_id is null or r.direction = 'PULL' then t.sent_currency else coalesce(q.settlement ->> 'currency', t.received_currency) end as ordered_currency,
      case when r.direction = 'OUT' then q.settlement ->> 'invoice' end is distinct from r.invoice ->> 'invoice' as is_other_invoice,
      (select count(*) from json_array_elements(r.history) line where line ->> 'why' = '${ORDER_SENT}') as sendings
    from rail_payments r
    left join transactions t on t.platform_id = $1::uuid and t.id = r.transaction_id
    left join quotes q on q.platform_id = $1::uuid and q.id = t.quote_id
    left join rail_connections c on c.platform_id = $1::uuid and c.id = r.connection_id
    where r.platform_id = $1::uuid
  )
  select 'rail_payments', 'order ' || id, what
  from paired, lateral (values
    (case when direction = 'BACK' then null
      when transaction_id is null then 'its transaction is not there'
      when type <> case when direction = 'OUT' or quote_id is not null then 'OUTGOING' else 'INCOMING' end or ordered_minor <> amount_minor or ordered_currency <> currency
        then 'its transaction has another direction or amount' end),
    (case when is_other_invoice then 'it pays another invoice than its quote' end),
    (case when not (case
        when direction = 'BACK' then true
        when direction = 'PULL' and quote_id is not null then case
          when state in ${OPEN_IN_SQL} then status = 'PROCESSING'
          when state in ('SETTLED', 'RETURNED') then status in ('PROCESSING', 'COMPLETED', 'FAILED')
          else status = 'FAILED' end
        when state in ('HELD', 'QUEUED', 'SENDING', 'UNKNOWN') then status in ('PENDING', 'PROCESSING')
        when state in ('SENT', 'ACCEPTED') then status = case direction when 'OUT' then 'PROCESSING' else 'PENDING' end
        when state = 'SETTLED' and is_held then status = 'PENDING'
        when state = 'SETTLED' then status = 'FAILED' and (moves_nothing or is_aside) or status in ('COMPLETED', 'REFUNDED') and not moves_nothing
        when direction = 'OUT' then status = 'FAILED' and (refund_status = 'COMPLETED' or (quote_id is not null and refund_status is not null)
          or (state = 'RETURNED' and refund_status = 'FAILED'))
        else status = 'FAILED' end)
      then 'it is ' || state || ', its transaction ' || status || coalesce(' with its refund ' || refund_status, '') end),
    (case when sendings > 1 then 'it was sent ' || sendings || ' times' end),
    (case when connection_status is null then 'its connection is not there'
      when connection_status = 'ARCHIVED' and state in ${OPEN_IN_SQL} then 'it is ' || state || ' and its connection is archived' end)
  ) found (what)
  where what is not null order by id`;

/** The row from which payments choose a connection holds exactly the live routes and connections, with their current values. */
const ROUTING = `
  with stored as (
    select 'connection ' || (c ->> 'id') as row, concat_ws(' ', c ->> 'status', c ->> 'newPayments',
      coalesce(c -> 'funding' ->> 'mode', 'NONE'), c ->> 'settlement') as said
    from rail_routings r, json_array_elements(r.connections) c where r.platform_id = $1::uuid
    union all
    select 'route ' || (e ->> 'id'), concat_ws(' ', e ->> 'priority', e ->> 'direction', e ->> 'currency', e ->> 'connectionId',
      e ->> 'enabled', e ->> 'min', e ->> 'max')
    from rail_routings r, json_array_elements(r.routes) e where r.platform_id = $1::uuid
  ), there as (
    select 'connection ' || c.id as row, concat_ws(' ', c.status, c.new_payments, c.funding ->> 'mode', nullif(c.settlement::text, '[]')) as said
    from rail_connections c where c.platform_id = $1::uuid and c.status <> 'ARCHIVED'
    union all
    select 'route ' || t.id, concat_ws(' ', t.priority, t.direction, t.currency, t.connection_id, t.enabled::text, t.min_minor, t.max_minor)
    from rail_routes t where t.platform_id = $1::uuid and t.deleted_at is null
  )
  select 'rail_routings', coalesce(s.row, h.row), 'it says ' || coalesce(s.said, 'nothing') || ', there is ' || coalesce(h.said, 'nothing')
  from stored s full join there h on h.row = s.row
  where s.said is distinct from h.said order by 2`;

/**
 * The money on system accounts moved by openings, by entries that no order explains, and by orders that give that money back: from the
 * account outside to accounts, to quotes and into suspense, and out of suspense by the parts of resolutions. Money that a part gives back
 * stays in suspense until its order has settled; if the order was declined, a new item has the money. Own funds cover the shortfall of an
 * order that came back.
 */
export const MOVED_BY_ENTRIES = `
  with entries as (
    select 'clearing of connection ' || connection_id, currency, case direction when 'CREDIT' then -amount_minor else amount_minor end
    from rail_entries where platform_id = $1::uuid and booked_as in ('DEPOSIT', 'FUNDING', 'INVOICE', 'FEE', 'SUSPENSE')
    union all
    select 'own-funds of connection ' || connection_id, currency, -amount_minor from rail_entries where platform_id = $1::uuid and booked_as = 'FEE'
  ), items as (
    select i.connection_id, i.currency, i.state, i.resolution, case i.direction when 'CREDIT' then 1 else -1 end as sign, i.amount_minor,
      i.entry_id is null and i.reason = 'SHORT_RETURN' as is_short, i.entry_id is null and coalesce(p.direction = 'PULL' and p.state <> 'RETURNED', false) as is_pull
    from rail_items i left join rail_payments p on p.platform_id = $1::uuid and p.id = i.payment_id
    where i.platform_id = $1::uuid
  ), backs as (
    select connection_id, currency, state, amount_minor
    from rail_payments where platform_id = $1::uuid and direction = 'BACK' and item_id is not null
  )
  select * from entries
  union all
  select 'suspense of connection ' || connection_id, currency, sign * amount_minor from items where state <> 'RESOLVED'
  union all
  select moved.* from items, lateral (values
    ('clearing of connection ' || connection_id, currency, amount_minor),
    ('own-funds of connection ' || connection_id, currency, -amount_minor)
  ) moved where is_short
  union all
  select 'clearing of connection ' || connection_id, currency, -sign * amount_minor from items where is_pull
  union all
  select case when state in ${OPEN_IN_SQL} then 'suspense' else 'clearing' end || ' of connection ' || connection_id, currency, amount_minor
  from backs where state in ('SETTLED', 'RETURNED') or state in ${OPEN_IN_SQL}
  union all
  select moved.* from rail_payments p, lateral (values
    ('clearing of connection ' || connection_id, currency, -amount_minor),
    ('in-flight and paid-in', currency, amount_minor)
  ) moved where p.platform_id = $1::uuid and p.release_job_id is not null
  union all
  select moved.* from rail_receivables v, lateral (values
    ('receivables', currency, -open_minor),
    ('own-funds of connection ' || connection_id, currency, -written_off_minor)
  ) moved where v.platform_id = $1::uuid
  union all
  select moved.* from rail_books b, lateral (values
    ('clearing of connection ' || connection_id, currency, -opening_minor),
    ('own-funds of connection ' || connection_id, currency, opening_minor)
  ) moved where b.platform_id = $1::uuid and b.opening_minor is not null
  union all
  select case part ->> 'kind' when 'FX' then 'fx' when 'OWN_FUNDS' then 'own-funds of connection ' || connection_id
      else 'clearing of connection ' || connection_id end, currency, sign * (part ->> 'minor')::int8
  from items, json_array_elements(resolution -> 'parts') part
  where part ->> 'kind' in ('PAYMENT', 'FX', 'OWN_FUNDS', 'DUPLICATE_OF')
  union all
  select moved.* from rail_marks m, json_array_elements(m.request -> 'legs') leg, lateral (values
    ('fx', leg ->> 'currency', (leg ->> 'amount')::int8),
    ('own-funds of connection ' || m.connection_id, leg ->> 'currency', -(leg ->> 'amount')::int8)
  ) moved where m.platform_id = $1::uuid and m.kind = 'ADJUSTMENT' and m.state = 'CONFIRMED'`;

/**
 * Each entry was booked once: by the order that names it as its settlement or its return, with its amount; as the credit of its amount to
 * the account of the funding address that it names; as a part of a quote's money; as the payment of an invoice; as the charge of an
 * order; or as an item of its amount. No two orders name the
 * same entry.
 */
const ENTRIES = `
  with booked as (
    select e.id, e.booked_as, e.connection_id, e.currency, e.amount_minor, e.direction,
      (select count(*) from rail_payments p where p.platform_id = $1::uuid and p.id = e.payment_id
        and e.id = case e.booked_as when 'PAYMENT' then p.settled_entry_id when 'RETURN' then p.returned_entry_id end
        and e.amount_minor = case e.booked_as when 'PAYMENT' then p.amount_minor else p.returned_minor end and p.currency = e.currency and p.connection_id = e.connection_id) as orders,
      (select count(*) from rail_items i where i.platform_id = $1::uuid and i.entry_id = e.id and i.connection_id = e.connection_id
        and i.amount_minor = e.amount_minor and i.currency = e.currency and i.direction = e.direction
        and (i.reason = 'RETURN_CAME_BACK' or (i.payment_id is null and i.transaction_id is null))) as items,
      (select count(*) from transactions t join funding_addresses a on a.platform_id = $1::uuid and a.account_id = t.destination_account_id
        where t.platform_id = $1::uuid and t.id = e.transaction_id and a.id = e.address_id and e.booked_as = 'DEPOSIT'
        and t.type = 'INCOMING' and t.received_minor = e.amount_minor and t.received_currency = e.currency
        and t.details ->> 'railEntryId' = 'RailEntry:' || e.id) as credits,
      (select count(*) from quote_fundings f join quotes q on q.platform_id = $1::uuid and q.id = f.quote_id
        where f.platform_id = $1::uuid and f.entry_id = e.id and f.amount_minor = e.amount_minor and e.booked_as = 'FUNDING'
        and q.transaction_id = e.transaction_id and q.sending_currency = e.currency and f.connection_id = e.connection_id) as fundings,
      (select count(*) from uma_invoices i where i.platform_id = $1::uuid and i.id = e.invoice_id and i.entry_id = e.id
        and i.id = e.transaction_id and i.connection_id = e.connection_id and i.asset = e.currency and i.amount_minor <= e.amount_minor + ${ADDED_UP}) as invoices,
      (select count(*) from rail_payments p where p.platform_id = $1::uuid and p.id = e.fee_of and e.booked_as = 'FEE'
        and p.connection_id = e.connection_id and p.currency = e.currency) as charges
    from rail_entries e where e.platform_id = $1::uuid
  )
  select 'rail_entries', 'entry ' || id, 'it is booked as ' || booked_as || ', by ' || orders || ' orders, ' || items || ' items, ' ||
    credits || ' credits, ' || fundings || ' parts of quotes, ' || invoices || ' invoices and ' || charges || ' charges'
  from booked
  where (orders, items, credits, fundings, invoices, charges) is distinct from (case booked_as
    when 'SUSPENSE' then (0::int8, 1::int8, 0::int8, 0::int8, 0::int8, 0::int8)
    when 'DEPOSIT' then (0::int8, 0::int8, 1::int8, 0::int8, 0::int8, 0::int8)
    when 'FUNDING' then (0::int8, 0::int8, 0::int8, 1::int8, 0::int8, 0::int8)
    when 'INVOICE' then (0::int8, 0::int8, 0::int8, 0::int8, 1::int8, 0::int8)
    when 'FEE' then (0::int8, 0::int8, 0::int8, 0::int8, 0::int8, 1::int8)
    else (1::int8, 0::int8, 0::int8, 0::int8, 0::int8, 0::int8) end)
  union all
  select 'rail_payments', 'order ' || p.id, 'it names an entry that is not its ' || named.what
  from rail_payments p, lateral (values
    ('settlement', p.settled_entry_id, 'PAYMENT'), ('return', p.returned_entry_id, case p.direction when 'BACK' then 'SUSPENSE' else 'RETURN' end)
  ) named (what, id, booked_as)
  where p.platform_id = $1::uuid and named.id is not null and not exists (
    select from rail_entries e where e.platform_id = $1::uuid and e.id = named.id and e.payment_id = p.id
      and e.booked_as = named.booked_as)
    and not exists (
      select from rail_items i, json_array_elements(i.resolution -> 'parts') part
      where i.platform_id = $1::uuid and i.entry_id = named.id and part ->> 'kind' = 'PAYMENT'
        and part ->> 'paymentId' = 'RailPayment:' || p.id and (part ->> 'minor')::int8 = case named.what when 'settlement' then p.amount_minor else p.returned_minor end
        and part ->> 'outcome' = case named.what when 'settlement' then 'SETTLED' else 'RETURNED' end)
  order by 2`;

/**
 * An order that gives back the money of an item is a part of the item's resolution, with the same amount; if it was declined or
 * cancelled, there is a new item of that amount. An order that gives collected money back has the amount of a settled collection or, if
 * the quote's payout came back, of the refund.
 */
const MONEY_BACK = `
  with parts as (
    select i.id, i.connection_id, i.currency, substr(part ->> 'paymentId', 13) as payment_id, (part ->> 'minor')::int8 as minor
    from rail_items i, json_array_elements(i.resolution -> 'parts') part
    where i.platform_id = $1::uuid and part ->> 'kind' = 'RETURN'
  )
  select 'rail_payments', 'order ' || p.id, what
  from rail_payments p, lateral (values
    (case when p.item_id is not null and not exists (
        select from parts where parts.payment_id = p.id::text and parts.id = p.item_id and parts.minor = p.amount_minor
          and parts.connection_id = p.connection_id and parts.currency = p.currency)
      then 'no part of its item says that it goes back' end),
    (case when p.item_id is not null and p.state in ('DECLINED', 'CANCELLED') and not exists (
        select from rail_items i where i.platform_id = $1::uuid and i.payment_id = p.id and i.reason = 'RETURN_DECLINED'
          and i.amount_minor = p.amount_minor and i.entry_id = p.original_entry_id)
      then 'it is ' || p.state || ', and no item has its money' end),
    (case when p.item_id is null and not exists (
        select from rail_payments c where c.platform_id = $1::uuid and c.transaction_id = p.transaction_id and c.direction = 'PULL'
          and c.state = 'SETTLED' and c.connection_id = p.connection_id and c.amount_minor >= p.amount_minor and p.amount_minor =
            coalesce((select (t.refund #>> '{returned,refundMinor}')::int8 from transactions t where t.platform_id = $1::uuid and t.id = p.transaction_id), c.amount_minor))
      then 'no order has collected what it gives back' end)
  ) found (what)
  where p.platform_id = $1::uuid and p.direction = 'BACK' and what is not null
  union all
  select 'rail_items', 'item ' || parts.id, 'a part of it goes back by an order that is not there'
  from parts
  where not exists (select from rail_payments p where p.platform_id = $1::uuid and p.id::text = parts.payment_id and p.item_id = parts.id)
  order by 2`;

/**
 * The money of a quote is set aside, as an item of its amount, if and only if the quote has ended without using it. If the quote's payout
 * came back, the items sum to the refund.
 */
const FUNDINGS = `
  select 'quote_fundings', 'funding ' || f.id, 'its quote is ' || q.status || ', and its money is ' ||
    case when f.item_id is null then 'with the quote' when i.id is null then 'an item that is not there' else 'set aside' end
  from quote_fundings f
  join quotes q on q.platform_id = $1::uuid and q.id = f.quote_id
  join transactions t on t.platform_id = $1::uuid and t.id = q.transaction_id
  left join rail_items i on i.platform_id = $1::uuid and i.id = f.item_id and i.entry_id = f.entry_id
    and (i.amount_minor = f.amount_minor or t.refund -> 'returned' is not null) and i.transaction_id = q.transaction_id
  where f.platform_id = $1::uuid and (
    (t.refund -> 'returned' is null and (f.item_id is not null) is distinct from (t.refund is not null)) or (f.item_id is not null and i.id is null))
  union all
  select 'quote_fundings', 'quote ' || q.id, 'its items come to ' || sum(coalesce(i.amount_minor, 0)) || ', given back is ' || (t.refund #>> '{returned,refundMinor}')
  from quote_fundings f
  join quotes q on q.platform_id = $1::uuid and q.id = f.quote_id
  join transactions t on t.platform_id = $1::uuid and t.id = q.transaction_id and t.refund -> 'returned' is not null
  left join rail_items i on i.platform_id = $1::uuid and i.id = f.item_id
  where f.platform_id = $1::uuid
  group by q.id, t.id, t.refund #>> '{returned,refundMinor}'
  having sum(coalesce(i.amount_minor, 0)) <> (t.refund #>> '{returned,refundMinor}')::int8
  order by 2`;

/** A virtual account belongs to the one funding address that has its number. */
const VIRTUAL_ACCOUNTS = `
  select 'virtual_accounts', 'number ' || coalesce(v.id, a.id), 'the pool and the address that has it do not name each other'
  from (select * from virtual_accounts where platform_id = $1::uuid and address_id is not null) v
  full join (select * from funding_addresses where platform_id = $1::uuid and mode = 'VIRTUAL_ACCOUNTS') a
    on a.id = v.address_id and a.virtual_account = v.number and a.connection_id = v.connection_id
  where a.id is null or v.id is null order by 2`;

/** The parts of a resolution sum to their item, and each credit is a transaction of its amount to its account. */
const RESOLUTIONS = `
  with parts as (
    select i.id, i.entry_id, i.payment_id, i.amount_minor, i.currency, part ->> 'kind' as kind, (part ->> 'minor')::int8 as minor,
      part ->> 'transactionId' as transaction_id, part ->> 'accountId' as account_id
    from rail_items i, json_array_elements(i.resolution -> 'parts') part
    where i.platform_id = $1::uuid
  )
  select 'rail_items', 'item ' || id, 'its parts sum to ' || sum(minor) || ', not to ' || amount_minor
  from parts group by id, amount_minor having sum(minor) <> amount_minor
  union all
  select 'rail_items', 'item ' || p.id, 'its ' || p.transaction_id || ' is not the credit of ' || p.minor || ' to ' || p.account_id
  from parts p
  left join transactions t on t.platform_id = $1::uuid and 'Transaction:' || t.id = p.transaction_id
  where p.kind = 'ACCOUNT' and (t.type, t.received_minor, t.received_currency, 'InternalAccount:' || t.destination_account_id,
    t.details ->> 'railEntryId', t.details ->> 'railPaymentId')
    is distinct from ('INCOMING', p.minor, p.currency, p.account_id, 'RailEntry:' || p.entry_id, case when p.entry_id is null then 'RailPayment:' || p.payment_id end)
  union all
  select 'transactions', 'payment ' || t.id, 'no item and no entry names it as its credit'
  from transactions t
  where t.platform_id = $1::uuid and t.type = 'INCOMING' and coalesce(t.details ->> 'railEntryId', t.details ->> 'railPaymentId') is not null
    and not exists (select from parts p where p.transaction_id = 'Transaction:' || t.id)
    and not exists (select from rail_entries e
      where e.platform_id = $1::uuid and 'RailEntry:' || e.id = t.details ->> 'railEntryId' and e.transaction_id = t.id)
  order by 2`;

/**
 * A book holds the sum of its entries without those that were undone. Its opening is the balance of the statement that set it, less the
 * entries that this statement covers. Every statement is between the book's opening and closing days. An order's untold amount is what
 * its reports moved and no entry has confirmed.
 */
const BOOKS = `
  with told as (
    select e.connection_id, e.currency, e.booked_on, e.created_at, i.id is not null as is_undone,
      case e.direction when 'CREDIT' then e.amount_minor else -e.amount_minor end as minor
    from rail_entries e
    left join rail_items i on i.platform_id = $1::uuid and i.entry_id = e.id
      and i.state = 'RESOLVED' and i.resolution #>> '{parts,0,kind}' = 'DUPLICATE_OF'
    where e.platform_id = $1::uuid
  ), sums as (
    select connection_id, currency, count(*) + count(*) filter (where is_undone) as count,
      coalesce(sum(minor) filter (where not is_undone), 0) as minor
    from told group by 1, 2
  ), books as (select * from rail_books b where b.platform_id = $1::uuid)
  select 'rail_books', coalesce(b.connection_id, s.connection_id) || ' in ' || coalesce(b.currency, s.currency),
    'it says ' || coalesce(b.told_minor, 0) || ' of ' || coalesce(b.told_count, 0) || ', the entries come to ' || coalesce(s.minor, 0) || ' of ' || coalesce(s.count, 0)
  from books b full join sums s on s.connection_id = b.connection_id and s.currency = b.currency
  where (coalesce(b.told_minor, 0), coalesce(b.told_count, 0)) <> (coalesce(s.minor, 0), coalesce(s.count, 0))
  union all
  select 'rail_books', b.connection_id || ' in ' || b.currency, 'its opening is ' || b.opening_minor || ', which no statement of its day leaves'
  from books b
  where b.opening_day is not null and not exists (
    select from rail_statements t
    where t.platform_id = $1::uuid and t.connection_id = b.connection_id and t.currency = b.currency and t.day = b.opening_day
      and t.read_at is not distinct from b.opening_read_at
      and b.opening_minor = t.closing_minor - coalesce((select sum(e.minor) from told e
        where e.connection_id = b.connection_id and e.currency = b.currency and not e.is_undone
          and case when t.read_at is null then e.booked_on <= t.day else e.created_at < t.read_at end), 0)
  )
  union all
  select 'rail_statements', t.id::text, 'it is not between the opening and the closing of its book'
  from rail_statements t
  where t.platform_id = $1::uuid and not exists (select from books b where b.connection_id = t.connection_id
    and b.currency = t.currency and b.opening_day <= t.day and b.closing_day >= t.day)
  union all
  select 'rail_payments', 'order ' || p.id, 'it has ' || p.untold_minor || ' untold, by its reports and entries it is ' || wanted.minor
  from rail_payments p, lateral (select case p.direction when 'PULL' then 1 else -1 end * case
      when p.state not in ('SETTLED', 'RETURNED') or p.moves_nothing then 0
      else case when p.settled_entry_id is null then p.amount_minor else 0 end
        - case when p.returned_entry_id is null and p.direction <> 'BACK' then coalesce(p.returned_minor, 0) else 0 end end as minor) wanted
  where p.platform_id = $1::uuid and wanted.minor <> p.untold_minor
  order by 2`;

/**
 * If an order came back, the money that no account took and the shortfall of a transfer are items of it; no other order has such items. A
 * receivable belongs to a collection that was taken back, and does not exceed its amount.
 */
const RETURNS = `
  with back as (
    select p.id, p.state, p.direction, p.amount_minor, coalesce(p.returned_minor, 0) as returned_minor, p.currency, t.refund ->> 'status' as refund_status,
      coalesce((t.refund #>> '{returned,refundMinor}')::int8, p.amount_minor) as refunded_minor,
      -- What is given back of a payout that came back is what came, by the refund too; orders of earlier versions do not tell.
      p.direction = 'OUT' and p.state = 'RETURNED' and (t.refund #>> '{returned,cameMinor}')::int8 <> p.returned_minor as is_other,
      t.quote_id is not null as is_quote,
      t.quote_id is null and t.status = 'FAILED' and p.state = 'SETTLED' and not p.moves_nothing as is_unplaced,
      -- A collection that had paid its quote: the platform owes all of it, and a refund of the quote is an item.
      t.quote_id is not null and p.state = 'RETURNED' and exists (
        select from rail_receivables v where v.platform_id = $1::uuid and v.payment_id = p.id) as is_owed_by_us,
      (select coalesce(sum(i.amount_minor), 0) from rail_items i where i.platform_id = $1::uuid and i.payment_id = p.id and i.reason = 'SHORT_RETURN') as short_minor,
      (select coalesce(sum(i.amount_minor), 0) from rail_items i where i.platform_id = $1::uuid and i.payment_id = p.id and i.entry_id is null and i.reason <> 'SHORT_RETURN') as aside_minor,
      (select coalesce(sum(v.amount_minor), 0) from rail_receivables v where v.platform_id = $1::uuid and v.payment_id = p.id and v.currency = p.currency) as owed_minor
    from rail_payments p join transactions t on t.platform_id = $1::uuid and t.id = p.transaction_id
    where p.platform_id = $1::uuid
  )
  select 'rail_payments', 'order ' || id, 'it is ' || state || ' with ' || returned_minor || ' of ' || amount_minor || ' back; its items have ' ||
    short_minor || ' missing and ' || aside_minor || ' aside, its receivable ' || owed_minor
  from back
  where is_other
    or short_minor <> case when direction = 'OUT' and state = 'RETURNED' and not is_quote then amount_minor - returned_minor else 0 end
    or aside_minor <> case
      when direction = 'PULL' and (is_unplaced or (is_owed_by_us and refund_status = 'COMPLETED')) then case when is_unplaced then amount_minor else refunded_minor end
      when direction = 'OUT' and state = 'RETURNED' and not is_quote and refund_status = 'FAILED' then returned_minor
      else 0 end
    or owed_minor > case when direction = 'PULL' and state = 'RETURNED' then returned_minor else 0 end
    or is_owed_by_us and owed_minor <> returned_minor
  order by 2`;

/** An order is HELD only while exactly one waiting mark would release it. */
const HELD_ORDERS = `
  with held as (
    select p.id, p.state, (select count(*) from rail_marks m where m.platform_id = $1::uuid and m.kind = 'RELEASE'
      and m.request ->> 'paymentId' = p.id::text and m.state = 'WAITING') as marks
    from rail_payments p where p.platform_id = $1::uuid and p.state = 'HELD'
  )
  select 'rail_payments', 'order ' || id, 'it is HELD, and ' || marks || ' marks wait to release it'
  from held where marks <> 1 order by 2`;

/** No quote is funded by a mark that its maker asked for or confirmed. */
const OWN_QUOTES = `
  with said as (
    select m.id, m.requested_by, m.decided_by, m.requester_people, f.quote_id
    from rail_marks m
    join rail_entries e on e.platform_id = $1::uuid and e.booked_as = 'FUNDING' and 'RailEntry:' || e.id = m.result ->> 'entryId'
    join quote_fundings f on f.platform_id = $1::uuid and f.entry_id = e.id
    where m.platform_id = $1::uuid and m.kind = 'ENTRY' and m.state = 'CONFIRMED'
    union all
    select m.id, m.requested_by, m.decided_by, m.requester_people, (part ->> 'quoteId')::uuid
    from rail_marks m, json_array_elements(m.request -> 'parts') part
    where m.platform_id = $1::uuid and m.kind = 'RESOLUTION' and m.state = 'CONFIRMED' and part ->> 'kind' = 'QUOTE'
  )
  select 'rail_marks', 'mark ' || s.id, 'it funded quote ' || q.id || ', which one of its callers had made'
  from said s join quotes q on q.platform_id = $1::uuid and q.id = s.quote_id
  where q.maker ->> 'by' in (s.requested_by, s.decided_by) or exists (
    select 1 from json_array_elements_text(q.maker -> 'people') mine (id)
    join json_array_elements_text(s.requester_people) theirs (id) on theirs.id = mine.id)
  order by 2`;

export const railReconciliations: readonly string[] = [
  ORDERS_AND_TRANSACTIONS,
  ROUTING,
  ENTRIES,
  RESOLUTIONS,
  MONEY_BACK,
  FUNDINGS,
  VIRTUAL_ACCOUNTS,
  BOOKS,
  RETURNS,
  HELD_ORDERS,
  OWN_QUOTES,
];
