/**
 * Compares the orders to connections with their transactions, and the routing rows with what they are made of. Each is about
 * the platform $1.
 */

import { OPEN_IN_SQL } from "../domain/rail-payments/rail-payment.sql.ts";
import { ORDER_SENT } from "../domain/rail-payments/rail-payment.ts";

/**
 * An order and its transaction say the same: the parties' direction, the amount, and how far the payment is. An order was sent once at
 * most, and one that is not over belongs to a connection that is not archived.
 */
const ORDERS_AND_TRANSACTIONS = `
  with paired as (
    select r.id, r.state, r.direction, r.is_conflict, r.amount_minor, r.currency, c.status as connection_status, t.id as transaction_id,
      t.status, t.type, t.refund ->> 'status' as refund_status, t.quote_id,
      coalesce(case when t.quote_id is null then t.sent_minor else t.received_minor end, 0) as ordered_minor,
      case when t.quote_id is null then t.sent_currency else t.received_currency end as ordered_currency,
      (select count(*) from json_array_elements(r.history) line where line ->> 'why' = '${ORDER_SENT}') as sendings
    from rail_payments r
    left join transactions t on t.platform_id = r.platform_id and t.id = r.transaction_id
    left join rail_connections c on c.platform_id = r.platform_id and c.id = r.connection_id
    where r.platform_id = $1::uuid
  )
  select 'rail_payments', 'order ' || id, what
  from paired, lateral (values
    (case when transaction_id is null then 'its transaction is not there'
      when type <> case direction when 'OUT' then 'OUTGOING' else 'INCOMING' end or ordered_minor <> amount_minor or ordered_currency <> currency
        then 'its transaction has another direction or amount' end),
    (case when not (case
        when state in ('QUEUED', 'SENDING', 'UNKNOWN') then status in ('PENDING', 'PROCESSING')
        when state in ('SENT', 'ACCEPTED') then status = case direction when 'OUT' then 'PROCESSING' else 'PENDING' end
        when state = 'SETTLED' then status = 'COMPLETED' or (is_conflict and status = 'FAILED')
        when direction = 'OUT' then status = 'FAILED' and (refund_status = 'COMPLETED' or (quote_id is not null and refund_status is not null))
        else status = 'FAILED' end)
      then 'it is ' || state || ', its transaction ' || status || coalesce(' with its refund ' || refund_status, '') end),
    (case when sendings > 1 then 'it was sent ' || sendings || ' times' end),
    (case when connection_status is null then 'its connection is not there'
      when connection_status = 'ARCHIVED' and state in ${OPEN_IN_SQL} then 'it is ' || state || ' and its connection is archived' end)
  ) found (what)
  where what is not null order by id`;

/** The row that payments read to choose a connection has every live route and connection as it is, and no other. */
const ROUTING = `
  with stored as (
    select 'connection ' || (c ->> 'id') as row, c ->> 'status' || ' ' || (c ->> 'newPayments') as said
    from rail_routings r, json_array_elements(r.connections) c where r.platform_id = $1::uuid
    union all
    select 'route ' || (e ->> 'id'), concat_ws(' ', e ->> 'priority', e ->> 'direction', e ->> 'currency', e ->> 'connectionId',
      e ->> 'enabled', e ->> 'min', e ->> 'max')
    from rail_routings r, json_array_elements(r.routes) e where r.platform_id = $1::uuid
  ), there as (
    select 'connection ' || c.id as row, c.status || ' ' || c.new_payments as said
    from rail_connections c where c.platform_id = $1::uuid and c.status <> 'ARCHIVED'
    union all
    select 'route ' || t.id, concat_ws(' ', t.priority, t.direction, t.currency, t.connection_id, t.enabled::text, t.min_minor, t.max_minor)
    from rail_routes t where t.platform_id = $1::uuid and t.deleted_at is null
  )
  select 'rail_routings', coalesce(s.row, h.row), 'it says ' || coalesce(s.said, 'nothing') || ', there is ' || coalesce(h.said, 'nothing')
  from stored s full join there h on h.row = s.row
  where s.said is distinct from h.said order by 2`;

/**
 * What the entries that no order explains have moved on system accounts: into suspense, and out of it by the parts of their resolution.
 * Money that was credited to an account moved no system account but these.
 */
export const MOVED_BY_ENTRIES = `
  with items as (
    select i.connection_id, i.currency, i.state, i.resolution, case i.direction when 'CREDIT' then 1 else -1 end as sign, i.amount_minor
    from rail_items i where i.platform_id = $1::uuid
  )
  select moved.* from items, lateral (values
    ('clearing of connection ' || connection_id, currency, -sign * amount_minor),
    ('suspense of connection ' || connection_id, currency, case state when 'OPEN' then sign * amount_minor else 0 end)
  ) moved
  union all
  select case part ->> 'kind' when 'OWN_FUNDS' then 'own-funds' else 'clearing' end || ' of connection ' || connection_id, currency,
    sign * (part ->> 'minor')::int8
  from items, json_array_elements(resolution -> 'parts') part
  where part ->> 'kind' in ('OWN_FUNDS', 'DUPLICATE_OF')`;

/**
 * Each entry was booked once: by the order that names it as its settlement or its return, with its amount, or as an item of its
 * amount. Each order names entries of its own.
 */
const ENTRIES = `
  with booked as (
    select e.id, e.booked_as, e.connection_id, e.currency, e.amount_minor, e.direction,
      (select count(*) from rail_payments p where p.platform_id = $1::uuid and p.id = e.payment_id
        and e.id = case e.booked_as when 'PAYMENT' then p.settled_entry_id when 'RETURN' then p.returned_entry_id end
        and p.amount_minor = e.amount_minor and p.currency = e.currency and p.connection_id = e.connection_id) as orders,
      (select count(*) from rail_items i where i.platform_id = $1::uuid and i.entry_id = e.id and i.connection_id = e.connection_id
        and i.amount_minor = e.amount_minor and i.currency = e.currency and i.direction = e.direction) as items
    from rail_entries e where e.platform_id = $1::uuid
  )
  select 'rail_entries', 'entry ' || id, 'it is booked as ' || booked_as || ', by ' || orders || ' orders and ' || items || ' items'
  from booked
  where (orders, items) is distinct from (case booked_as when 'SUSPENSE' then (0::int8, 1::int8) else (1::int8, 0::int8) end)
  union all
  select 'rail_payments', 'order ' || p.id, 'it names an entry that is not its ' || named.what
  from rail_payments p, lateral (values
    ('settlement', p.settled_entry_id, 'PAYMENT'), ('return', p.returned_entry_id, 'RETURN')
  ) named (what, id, booked_as)
  where p.platform_id = $1::uuid and named.id is not null and not exists (
    select from rail_entries e where e.platform_id = $1::uuid and e.id = named.id and e.payment_id = p.id
      and e.booked_as = named.booked_as)
  order by 2`;

/** The parts of a resolution sum to their item, and each credit is a transaction of its amount to its account. */
const RESOLUTIONS = `
  with parts as (
    select i.id, i.entry_id, i.amount_minor, i.currency, part ->> 'kind' as kind, (part ->> 'minor')::int8 as minor,
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
    t.details ->> 'railEntryId') is distinct from ('INCOMING', p.minor, p.currency, p.account_id, 'RailEntry:' || p.entry_id)
  union all
  select 'transactions', 'payment ' || t.id, 'no item names it as its credit'
  from transactions t
  where t.platform_id = $1::uuid and t.type = 'INCOMING' and t.details ->> 'railEntryId' is not null
    and not exists (select from parts p where p.transaction_id = 'Transaction:' || t.id)
  order by 2`;

export const railReconciliations: readonly string[] = [
  ORDERS_AND_TRANSACTIONS,
  ROUTING,
  ENTRIES,
  RESOLUTIONS,
];
