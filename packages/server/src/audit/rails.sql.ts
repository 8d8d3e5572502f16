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

export const railReconciliations: readonly string[] = [ORDERS_AND_TRANSACTIONS, ROUTING];
