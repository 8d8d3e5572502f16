-- Orders to connections. What is needed to give an order again is in its row and never changes: amount, parties, texts, date.
-- The open states are those in which a report is awaited.
create table rail_payments (
  platform_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  connection_id uuid not null,
  route_id uuid,
  direction text not null,
  payment_rail text not null,
  currency text not null,
  amount_minor int8 not null,
  counterparty json not null,
  ours json not null,
  reference text not null,
  remittance text,
  requested_on text not null,
  state text not null,
  is_conflict bool not null,
  bank_reference text,
  sent_at timestamptz,
  sent_to text,
  settled_on text,
  last_report json,
  history json not null,
  recall json,
  job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint rail_payments_pkey primary key (platform_id, id),
  constraint rail_payments_amount check (amount_minor > 0),
  constraint rail_payments_direction check (direction in ('OUT', 'PULL')),
  constraint rail_payments_state check (
    state in ('QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED', 'SETTLED', 'RETURNED', 'DECLINED', 'CANCELLED')
  ),
  constraint rail_payments_sent check (state not in ('SENDING', 'UNKNOWN') or sent_at is not null)
) with (fillfactor = 80);
-- A transaction has one order in this version: two would pay twice.
create unique index rail_payments_transaction on rail_payments (platform_id, transaction_id);
create index rail_payments_connection on rail_payments (platform_id, connection_id, id);
create index rail_payments_open on rail_payments (platform_id, connection_id, state, id)
  where state in ('QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED');
create index rail_payments_state on rail_payments (platform_id, state, id)
  where state in ('QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED');
create index rail_payments_conflict on rail_payments (platform_id, id) where is_conflict;
