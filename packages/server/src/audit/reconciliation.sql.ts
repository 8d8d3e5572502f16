/**
 * Reconciles accounts, payments, approvals and UMA domains with the books. Each statement returns the discrepancies of the platform
 * or workspace $1 as rows of (table, row, what). `florin verify` runs them beside its own recomputation.
 */

import { externalAccounts } from "../domain/accounts/external/external-account.ts";
import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import { MAX_FIGURE_MINOR } from "../domain/agents/agent-policy.ts";
import { customers } from "../domain/customers/customer.ts";
import { adjustments } from "../domain/payments/adjustments/adjustment.ts";
import { paymentBatches } from "../domain/payments/batches/payment-batch.ts";
import { holds } from "../domain/payments/holds/hold.ts";
import { quotes } from "../domain/payments/quotes/quote.ts";
import { paymentSchedules } from "../domain/payments/schedules/payment-schedule.ts";
import { transactions } from "../domain/payments/transactions/transaction.ts";
import { RAIL_PROMISE_MS } from "../domain/payments/transfers/payment-rail.port.ts";
import { approvals } from "../domain/people/approvals/approval.ts";
import { railEntries } from "../domain/rails/entries/rail-entry.ts";
import { railItems } from "../domain/rails/entries/rail-item.ts";
import { railMarks } from "../domain/rails/marks/rail-mark.ts";
import { OPEN_IN_SQL } from "../domain/rails/orders/rail-payment.sql.ts";
import { railPayments } from "../domain/rails/orders/rail-payment.ts";
import { railReceivables } from "../domain/rails/returns/rail-receivable.ts";
import { currencies } from "../money/currency.ts";
import { present } from "../std/assert.ts";
import { DAY_IN_SQL, kindInSql } from "../tables/list-totals.ts";
import { batchReconciliations } from "./batches.sql.ts";
import { GUARDED_ACTS } from "./guarded-acts.sql.ts";
import { IN_HOUSE_PAYMENTS } from "./in-house.sql.ts";
import {
  COMMITTED_BY_INVOICES,
  invoiceReconciliations,
  MOVED_BY_INVOICES,
} from "./invoices.sql.ts";
import { QUOTE_INVOICES } from "./outside-quotes.sql.ts";
import { MOVED_BY_ENTRIES, railReconciliations } from "./rails.sql.ts";
import { scheduleReconciliations } from "./schedules.sql.ts";

/** The moves of the `adjustments` accounts: (account, currency, minor). */
const MOVED_BY_ADJUSTMENTS = `
  select 'adjustments', t.currency, case t.direction when 'CREDIT' then -t.amount_minor else t.amount_minor end
  from adjustments t where t.platform_id = $1::uuid`;

const AGREED = `
  (select count(distinct d ->> 'by') from json_array_elements(t.decisions) d where d ->> 'outcome' = 'APPROVED')`;

/** An approval is carried out only after enough people agreed. The requester may agree only where no other person could (`isOwn`). */
const AGREEMENTS = `
  select 'approvals', t.id::text, 'is ' || t.state || ' with ' || ${AGREED} || ' of ' || t.approvals_needed || ' people'
  from approvals t
  where t.platform_id = $1::uuid and t.state in ('DONE', 'FAILED') and ${AGREED} < t.approvals_needed
  union all
  select 'approvals', t.id::text, 'was agreed to by the person who asked'
  from approvals t, json_array_elements(t.decisions) d
  where t.platform_id = $1::uuid and d ->> 'outcome' = 'APPROVED' and not (d ->> 'isOwn')::bool
    and (d ->> 'by' = 'Person:' || t.requester_id
      or exists (select from json_array_elements_text(t.requester_people) p where d ->> 'by' = 'Person:' || p.value))
  order by 2`;

/** Each adjustment is the result of an approval that was carried out. */
const ADJUSTMENTS = `
  select 'adjustments', a.id::text, 'its approval is ' || coalesce(t.state, 'not there')
  from adjustments a left join approvals t on t.platform_id = $1::uuid and t.id = a.approval_id
  where a.platform_id = $1::uuid and (t.state is distinct from 'DONE' or t.kind <> 'ADJUSTMENT' or t.result_id <> 'Adjustment:' || a.id)
  order by 2`;

/** What a quote pays out: by an invoice of another institution an asset, which that institution converts. */
const PAID_CURRENCY = "coalesce(q.settlement ->> 'currency', q.receiving_currency)";

/**
 * In production the positions have committed, in both currencies, the exchange of each quote that is under way or waits for a payer's
 * money, and of each invoice that is under way, and of no others.
 */
const COMMITTED_IN_POSITIONS = `
  with underway as (
    select q.sending_currency, ${PAID_CURRENCY} as paid_currency, q.converted_minor,
      coalesce((q.settlement ->> 'minor')::int8, q.receiving_minor) as paid_minor
    from quotes q join platforms p on p.platform_id = q.platform_id and p.id = q.platform_id
    where q.platform_id = $1::uuid and (q.status = 'PROCESSING' or (q.status = 'PENDING' and q.source ->> 'sourceType' = 'REALTIME_FUNDING')) and p.environment = 'PRODUCTION' and q.sending_currency <> ${PAID_CURRENCY}
  ), wanted as (
    select currency, sum(minor) as minor from (
      select sending_currency, converted_minor from underway
      union all
      select paid_currency, -paid_minor from underway
      union all
      select * from (${COMMITTED_BY_INVOICES}) invoiced
    ) moves (currency, minor) group by 1
  ), stored as (
    select f.currency, f.committed_minor as minor from fx_positions f where f.platform_id = $1::uuid
  )
  select 'fx_positions', coalesce(s.currency, w.currency),
    coalesce(s.minor, 0) || ' is committed, quotes and invoices under way come to ' || coalesce(w.minor, 0)
  from stored s full join wanted w on w.currency = s.currency
  where coalesce(s.minor, 0) <> coalesce(w.minor, 0) order by 2`;

/** Compares the checkpoints of the platform $1 with the commands that they are about. */
const CHECKPOINTS_AND_LOG = `
  select 'chain_checkpoints', c.id::text, 'its hash is not that of command ' || c.seq
  from chain_checkpoints c left join command_log l on l.platform_id = $1::uuid and l.seq = c.seq
  where c.platform_id = $1::uuid and c.seq > 0 and l.hash is distinct from c.chain_hash`;

const CRYPTO = currencies
  .filter(({ kind }) => kind === "crypto")
  .map(({ code }) => `'${code}'`)
  .join(", ");

/** In production a UMA payment without an invoice is one between two customers of the platform: see `in-house.sql.ts`. */
const IS_PRODUCTION =
  "exists (select from platforms p where p.platform_id = $1::uuid and p.id = $1::uuid and p.environment = 'PRODUCTION')";

/** A book transfer moves no system account. */
const NO_BOOK_TRANSFER = "t.details ->> 'counterpartTransactionId' is null";

/**
 * A transfer that a connection carries has an order, and settles against the account of that connection; so does a quote's payout. Orders
 * that give money back are counted separately.
 */
const WITH_ORDER =
  "left join rail_payments r on r.platform_id = $1::uuid and r.transaction_id = t.id and r.direction <> 'BACK' " +
  "and (t.quote_id is null or r.direction = 'OUT')";
const CLEARING = "coalesce('clearing of connection ' || r.connection_id, 'rail-clearing')";

/**
 * The expected effect of each payment on each system account, from the payment's row alone. Balanced postings do not show that
 * a payment was lost or never happened; this comparison does. Money that is set aside is compared as a sum:
 *
 *   in-flight, paid-in   open holds; transfers out under way; quotes under way whose money has arrived; refunds that are due, or failed
 *   uma-transit          payments that a job sends on
 */
const PAYMENTS_AND_BOOKS = `
  with quoted as (
    select q.status, t.status as payment_status, t.refund ->> 'status' as refund_status,
      q.sending_currency, ${PAID_CURRENCY} as paid_currency, coalesce(q.arrived_minor, q.sending_minor) as paid_minor,
      -- What a connection sent back of a settled payout, and what is given back for it.
      (t.refund #>> '{returned,cameMinor}')::int8 as came_minor, (t.refund #>> '{returned,refundMinor}')::int8 as converted_back_minor,
      coalesce((t.refund #>> '{returned,refundMinor}')::int8, q.arrived_minor, q.sending_minor) as refunded_minor,
      q.sending_minor, q.converted_minor, q.fixed_fee_minor + q.variable_fee_minor as fees_minor,
      coalesce((q.settlement ->> 'minor')::int8, q.receiving_minor + q.counterparty_fee_minor) as paid_out_minor, q.funded_at is not null as is_funded,
      coalesce(q.source ->> 'accountId' like 'InternalAccount:%', false) as is_from_account,
      coalesce(q.destination ->> 'accountId' like 'InternalAccount:%', q.settlement is null and ${IS_PRODUCTION}) as is_to_account,
      -- Crypto that was paid by instructions is not sent back: it is credited.
      q.source ->> 'sourceType' <> 'REALTIME_FUNDING' or q.sending_currency not in (${CRYPTO}) as is_sent_back,
      ${CLEARING} as paid_out_by,
      coalesce('clearing of connection ' || (select c.connection_id from rail_payments c
        where c.platform_id = $1::uuid and c.transaction_id = t.id and c.direction = 'PULL'), 'rail-clearing') as paid_in_by,
      -- The bank took the collection back after it had paid the quote: the platform owes it, and a refund is an item.
      exists (select from rail_payments c join rail_receivables v on v.platform_id = $1::uuid and v.payment_id = c.id
        where c.platform_id = $1::uuid and c.transaction_id = t.id and c.direction = 'PULL') as is_taken_back,
      -- What entries brought is counted with them.
      exists (select from quote_fundings f where f.platform_id = $1::uuid and f.quote_id = q.id) as is_by_entries
    from quotes q join transactions t on t.platform_id = $1::uuid and t.id = q.transaction_id ${WITH_ORDER}
    where q.platform_id = $1::uuid and q.status not in ('PENDING', 'EXPIRED')
  ), by_payments as (
    select case t.status when 'COMPLETED' then ${CLEARING} else 'in-flight and paid-in' end as place,
      t.sent_currency as currency, t.sent_minor as minor
    from transactions t ${WITH_ORDER}
    where t.platform_id = $1::uuid and t.type = 'OUTGOING' and t.quote_id is null
      and t.status in ('PENDING', 'PROCESSING', 'COMPLETED') and ${NO_BOOK_TRANSFER}
    union all
    select case t.source ->> 'type' when 'UMA_ADDRESS' then 'uma-clearing' when 'REALTIME_FUNDING' then 'sandbox-funding'
      else ${CLEARING} end, t.received_currency, -t.received_minor
    from transactions t ${WITH_ORDER}
    where t.platform_id = $1::uuid and t.type = 'INCOMING' and t.status in ('COMPLETED', 'REFUNDED') and ${NO_BOOK_TRANSFER}
      and t.details ->> 'railEntryId' is null and t.details ->> 'railPaymentId' is null
      and not exists (select from uma_invoices i where i.platform_id = $1::uuid and i.id = t.id)
      and not (t.source ->> 'type' = 'UMA_ADDRESS' and ${IS_PRODUCTION})
    union all
    select * from (${MOVED_BY_ENTRIES}) entries
    union all
    select * from (${MOVED_BY_INVOICES}) invoiced
    union all
    select * from (${MOVED_BY_ADJUSTMENTS}) adjusted
    union all
    select 'in-flight and paid-in', h.currency, h.amount_minor - h.captured_minor
    from holds h where h.platform_id = $1::uuid and h.status = 'OPEN'
    union all
    select 'rail-clearing', t.received_currency, t.received_minor
    from payment_approvals a join transactions t on t.platform_id = $1::uuid and t.id = a.id
    where a.platform_id = $1::uuid and a.deposit_account_id is not null and t.status = 'COMPLETED'
    union all
    select place, payload ->> 'currency', sign * (payload ->> 'minor')::int8
    from jobs, (values ('uma-clearing', -1), ('uma-transit', 1)) moved (place, sign)
    where platform_id = $1::uuid and kind = 'send-uma-deposit'
    union all
    select paid_in_by, sending_currency, -paid_minor
    from quoted where is_funded and not is_from_account and not is_by_entries
    union all
    select 'in-flight and paid-in', q.sending_currency, f.amount_minor
    from quote_fundings f join quotes q on q.platform_id = $1::uuid and q.id = f.quote_id
    where f.platform_id = $1::uuid and f.item_id is null and q.status in ('PENDING', 'PROCESSING')
    union all
    select 'in-flight and paid-in', sending_currency, refunded_minor
    from quoted
    where not is_by_entries and case status when 'PROCESSING' then is_funded else refund_status in ('PENDING', 'FAILED') end
    union all
    select paid_in_by, sending_currency, case when is_taken_back then paid_minor else refunded_minor end
    from quoted where is_taken_back or (refund_status = 'COMPLETED' and not is_from_account and is_sent_back and not is_by_entries)
    union all
    select moved.*
    from quoted, lateral (values
      ('fees', sending_currency, fees_minor),
      ('fx', sending_currency, converted_minor),
      ('rounding', sending_currency, sending_minor - fees_minor - converted_minor),
      ('fx', paid_currency, -paid_out_minor),
      (paid_out_by, paid_currency, case when is_to_account then 0 else paid_out_minor end)
    ) moved
    where status = 'COMPLETED' and (payment_status = 'COMPLETED' and refund_status is null or came_minor is not null)
    union all
    select moved.*
    from quoted, lateral (values
      (paid_out_by, paid_currency, -came_minor),
      ('fx', paid_currency, came_minor),
      ('fx', sending_currency, -converted_back_minor)
    ) moved
    where came_minor is not null
  ), compared as (
    select place, currency, sum(in_books) as in_books, sum(in_payments) as in_payments
    from (
      select case when kind in ('in-flight', 'paid-in') then 'in-flight and paid-in'
          when connection_id is not null then kind || ' of connection ' || connection_id else kind end as place, currency,
        balance_minor as in_books, 0 as in_payments
      from ledger_accounts where platform_id = $1::uuid and kind <> 'internal'
      union all
      select place, currency, 0, minor from by_payments
    ) both_sides
    group by place, currency
  )
  select 'ledger_accounts', place || ' in ' || currency, 'it comes to ' || in_books || ', the payments to ' || in_payments
  from compared where in_books <> in_payments order by place, currency`;

/** The two transactions of a book transfer name each other, in opposite directions, with the same accounts and amount. */
const BOOK_TRANSFERS = `
  select 'transactions', 'payment ' || t.id, 'it does not mirror its counterpart, ' || (t.details ->> 'counterpartTransactionId')
  from transactions t
  left join transactions o
    on o.platform_id = $1::uuid and o.id = substr(t.details ->> 'counterpartTransactionId', 13)::uuid
  where t.platform_id = $1::uuid and t.details ->> 'counterpartTransactionId' is not null
    and (replace(t.status, 'REFUNDED', 'COMPLETED'), replace(o.status, 'REFUNDED', 'COMPLETED'), o.type, o.details ->> 'counterpartTransactionId', o.source_account_id, o.destination_account_id,
        o.sent_minor, o.received_minor, o.sent_currency)
      is distinct from ('COMPLETED', 'COMPLETED', case t.type when 'OUTGOING' then 'INCOMING' else 'OUTGOING' end,
        'Transaction:' || t.id, t.source_account_id, t.destination_account_id, t.received_minor, t.sent_minor, t.received_currency)
  order by t.id`;

/** What was captured of a hold is the sum of the payments that it names, and each of them names the hold. */
const CAPTURES = `
  with captures as (
    select h.id, h.captured_minor, coalesce(sum(t.sent_minor), 0) as paid_minor, json_array_length(h.transaction_ids) as named, count(t.id) as found
    from holds h
    left join lateral json_array_elements_text(h.transaction_ids) n(id) on true
    left join transactions t on t.platform_id = $1::uuid and t.id = substr(n.id, 13)::uuid and t.details ->> 'holdId' = 'Hold:' || h.id
    where h.platform_id = $1::uuid
    group by h.platform_id, h.id
  )
  select 'holds', 'hold ' || id, 'it says that ' || captured_minor || ' was captured by ' || named || ' payments, ' || found || ' of them are there and come to ' || paid_minor
  from captures where captured_minor <> paid_minor or named <> found order by id`;

/**
 * The amounts that an incoming payment's row counts as given back and as on the way are the sums of the refunds that name it. If a refund
 * came back short, the missing part still counts as given back.
 */
const REFUNDS = `
  with refunds as (
    select substr(details ->> 'refundOf', 13)::uuid as id,
      coalesce(sum(case when status = 'COMPLETED' then sent_minor
        when status = 'FAILED' then sent_minor - (refund #>> '{returned,cameMinor}')::int8 end), 0) as refunded,
      coalesce(sum(sent_minor) filter (where status in ('PENDING', 'PROCESSING')), 0) as pending
    from transactions
    where platform_id = $1::uuid and type = 'OUTGOING' and details ->> 'refundOf' is not null
    group by 1
  ), counted as (
    select id, status, received_minor as received, coalesce((outcome ->> 'refundedMinor')::int8, 0) as refunded,
      coalesce((outcome ->> 'refundPendingMinor')::int8, 0) as pending
    from transactions
    where platform_id = $1::uuid and type = 'INCOMING' and (status = 'REFUNDED' or outcome ->> 'refundedMinor' is not null)
  )
  select 'transactions', 'payment ' || coalesce(c.id, r.id),
    'it is ' || coalesce(c.status, 'not counted') || ' with ' || coalesce(c.refunded, 0) || ' given back and ' ||
    coalesce(c.pending, 0) || ' on the way, its refunds come to ' || coalesce(r.refunded, 0) || ' and ' || coalesce(r.pending, 0)
  from counted c full join refunds r on r.id = c.id
  where (c.refunded, c.pending) is distinct from (coalesce(r.refunded, 0), coalesce(r.pending, 0))
    or c.refunded + c.pending > c.received
    or (c.status = 'REFUNDED') <> (c.refunded = c.received)
  order by 2`;

/** Internal accounts and guarded ledger accounts correspond one to one. */
const UNMATCHED_ACCOUNTS = `
  select 'internal_accounts', 'account ' || i.id, 'the books have no account for it in ' || i.currency
  from internal_accounts i
  left join ledger_accounts l
    on l.platform_id = $1::uuid and l.id = i.id and l.kind = 'internal' and l.currency = i.currency
  where i.platform_id = $1::uuid and l.id is null
  union all
  select 'ledger_accounts', 'account ' || l.id, 'no internal account in ' || l.currency || ' is behind it'
  from ledger_accounts l
  left join internal_accounts i on i.platform_id = $1::uuid and i.id = l.id and i.currency = l.currency
  where l.platform_id = $1::uuid and l.kind = 'internal' and i.id is null
  order by 2`;

/**
 * Payments and refunds that nothing has happened to for longer than a rail may take: their job was lost, is refused, or its rail does not
 * answer. A bank behind a connection may take days: those payments are reported by their connection's health. $2 is the host's time in
 * milliseconds.
 */
export const OVERDUE_PAYMENTS = `
  select 'transactions', 'payment ' || t.id,
    'it is ' || t.status || coalesce(', its refund ' || (t.refund ->> 'status'), '') || ', and nothing has happened to it since ' ||
    to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  from transactions t join platform_heads h on h.platform_id = $1::uuid
  where t.platform_id = $1::uuid
    and (t.status in ('CREATED', 'PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING')
    -- A payer may take days for the money of a quote, and a person for the item that a refund waits for.
    and not exists (select from quotes q join platforms p on p.platform_id = $1::uuid and p.id = q.platform_id
      where q.platform_id = $1::uuid and q.transaction_id = t.id and q.status = 'PENDING' and p.environment = 'PRODUCTION')
    and not exists (select from rail_items i where i.platform_id = $1::uuid and i.transaction_id = t.id and i.state <> 'RESOLVED')
    and t.updated_at < to_timestamp(($2::int8 + h.clock_offset_ms - ${RAIL_PROMISE_MS}) / 1000.0)
    and not exists (select from rail_payments r
      where r.platform_id = $1::uuid and r.transaction_id = t.id and (r.state in ${OPEN_IN_SQL} or r.release_job_id is not null))
  order by t.id`;

const listsWithTotals = [
  transactions,
  quotes,
  paymentBatches,
  customers,
  internalAccounts,
  externalAccounts,
  railPayments,
  railEntries,
  railItems,
  railReceivables,
  railMarks,
  approvals,
  adjustments,
  holds,
  paymentSchedules,
];

/** The totals of each long list equal the number of its rows of each day and kind. */
const listTotals = listsWithTotals.map(
  ({ name, counted }) => `
  select 'list_totals', '${name} of day ' || day || ', ' || kind, 'it says ' || said || ', there are ' || there
  from (
    select day, kind, sum(said) as said, sum(there) as there
    from (
      select day, kind, total as said, 0 as there from list_totals where platform_id = $1::uuid and list = '${name}'
      union all
      select ${DAY_IN_SQL}, ${kindInSql(present(counted, name))}, 0, count(*) from ${name} t where t.platform_id = $1::uuid group by 1, 2
    ) both_sides
    group by day, kind
  ) compared
  where said <> there order by day, kind`,
);

/** Reports totals of a list that the statement above does not count. */
const LISTS_LEFT_OUT = `
  select 'list_totals', list || ' of day ' || day || ', ' || kind, 'no list of this name is compared with its rows'
  from list_totals
  where platform_id = $1::uuid and list not in (${listsWithTotals.map(({ name }) => `'${name}'`).join(", ")})
  order by list, day, kind`;

/**
 * An agent's figures cover its payments: usage of the day and the month is at least the payments of that day and month whose money is not
 * back, and the reserved amount is that of the waiting actions. If a payout came back short, the missing part still counts as used. Usage
 * may be more: payments whose money has just come back, and roundings of a change of currency. Payments that were counted in a currency
 * that the policy had before are left out, because they were converted together with others.
 */
const AGENTS_AND_PAYMENTS = `
  with standing as (
    select g.id, g.usage_day, g.usage_day_count, g.usage_day_minor, g.usage_month_minor, g.reserved_count, g.reserved_minor,
      g.policy -> 'spendingLimits' ->> 'currency' as currency
    from agents g where g.platform_id = $1::uuid
  ), held as (
    select a.agent_id, a.counted_currency, to_char(a.executed_at at time zone 'UTC', 'YYYY-MM-DD') as day, is_held,
      case when is_held then a.counted_minor
        else a.counted_minor - div(a.counted_minor::numeric * least((t.refund #>> '{returned,refundMinor}')::int8, t.sent_minor), t.sent_minor) end as counted_minor
    from agent_actions a join transactions t on t.platform_id = $1::uuid and t.id = a.transaction_id, lateral (
      select case when t.refund is null then t.status not in ('FAILED', 'REJECTED', 'EXPIRED')
        else t.refund ->> 'status' <> 'COMPLETED' end as is_held) hold
    where a.platform_id = $1::uuid and a.executed_at is not null and (is_held or t.refund -> 'returned' is not null)
  ), used as (
    select s.id, count(*) filter (where h.day = s.usage_day and h.is_held) as day_count,
      coalesce(sum(h.counted_minor) filter (where h.day = s.usage_day and h.counted_currency = s.currency), 0) as day_minor,
      coalesce(sum(h.counted_minor) filter (where h.counted_currency = s.currency), 0) as month_minor
    from standing s join held h on h.agent_id = s.id and left(h.day, 7) = left(s.usage_day, 7)
    group by s.id
  ), waiting as (
    select agent_id as id, count(*) as count, coalesce(sum(counted_minor), 0) as minor
    from agent_actions where platform_id = $1::uuid and status = 'PENDING_APPROVAL' group by agent_id
  )
  select 'agents', 'agent ' || s.id, 'it has used ' || s.usage_day_count || ' payments and ' || s.usage_day_minor || ' of the day, ' ||
    s.usage_month_minor || ' of the month; its payments hold ' || u.day_count || ' and ' || u.day_minor || ', ' || u.month_minor
  from standing s join used u on u.id = s.id
  where s.usage_day_count < u.day_count or s.usage_day_minor < least(u.day_minor, ${MAX_FIGURE_MINOR})
    or s.usage_month_minor < least(u.month_minor, ${MAX_FIGURE_MINOR})
  union all
  select 'agents', 'agent ' || s.id, 'it has reserved ' || s.reserved_count || ' and ' || s.reserved_minor ||
    ', its waiting actions come to ' || coalesce(w.count, 0) || ' and ' || coalesce(w.minor, 0)
  from standing s left join waiting w on w.id = s.id
  where s.reserved_count <> coalesce(w.count, 0) or s.reserved_minor <> coalesce(w.minor, 0)
  order by 2, 3`;

/** The UMA domains of the platform's row are those that it has claimed. Only that of the counterparties may be unclaimed. */
const UMA_DOMAINS = `
  with own as (
    select lower(environment) as namespace, json_array_elements_text(uma_domains) as domain
    from platforms where platform_id = $1::uuid
  )
  select 'platforms', 'UMA domain ' || domain, 'the platform has not claimed it'
  from own
  where not exists (
    select from domain_claims c
    where c.namespace = own.namespace and c.reversed = reversed_labels(own.domain) and c.platform_id = $1::uuid)
  union all
  select 'domain_claims', reversed_labels(c.reversed) || ' of ' || c.namespace, 'the platform does not have this UMA domain'
  from domain_claims c
  where c.platform_id = $1::uuid and (c.namespace, reversed_labels(c.reversed)) not in (
    select namespace, domain from own
    union all
    select lower(environment), sandbox_uma_domain from platforms
    where platform_id = $1::uuid and sandbox_uma_domain is not null)
  order by 1, 2`;

export const reconciliations: readonly string[] = [
  PAYMENTS_AND_BOOKS,
  BOOK_TRANSFERS,
  IN_HOUSE_PAYMENTS,
  REFUNDS,
  CAPTURES,
  AGENTS_AND_PAYMENTS,
  UNMATCHED_ACCOUNTS,
  ...listTotals,
  LISTS_LEFT_OUT,
  UMA_DOMAINS,
  ...railReconciliations,
  ...invoiceReconciliations,
  QUOTE_INVOICES,
  ...scheduleReconciliations,
  COMMITTED_IN_POSITIONS,
  AGREEMENTS,
  ADJUSTMENTS,
  GUARDED_ACTS,
  CHECKPOINTS_AND_LOG,
  ...batchReconciliations,
];
