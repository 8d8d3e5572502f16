-- What came back of a settled order; null while nothing did.
alter table rail_payments add column returned_minor int8;
update rail_payments set returned_minor = amount_minor where state = 'RETURNED';
alter table rail_payments add constraint rail_payments_returned
  check ((state = 'RETURNED') = (returned_minor is not null) and returned_minor between 1 and amount_minor);

-- An item is of an entry, or of an order that came back: what no account took, and what is missing of it.
alter table rail_items alter column entry_id drop not null;
alter table rail_items add constraint rail_items_origin check (entry_id is not null or (payment_id is not null and transaction_id is null));
alter table rail_items drop constraint rail_items_entry;
create unique index rail_items_entry on rail_items (platform_id, entry_id, payment_id, transaction_id) nulls not distinct
  where entry_id is not null;
create unique index rail_items_payment on rail_items (platform_id, payment_id, reason) where entry_id is null;

-- What a holder owes because a collected payment was taken back after its money was spent. Each has its part of the ledger's account `receivables`.
create table rail_receivables (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  customer_id uuid,
  currency text not null,
  amount_minor int8 not null,
  open_minor int8 not null,
  collected_minor int8 not null,
  written_off_minor int8 not null,
  state text not null,
  note text,
  decided_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint rail_receivables_pkey primary key (platform_id, id),
  constraint rail_receivables_payment unique (platform_id, payment_id),
  constraint rail_receivables_sum check (amount_minor > 0 and open_minor >= 0 and collected_minor >= 0 and written_off_minor >= 0
    and amount_minor = open_minor + collected_minor + written_off_minor),
  constraint rail_receivables_state check (state = case when open_minor > 0 then 'OPEN' when written_off_minor > 0 then 'WRITTEN_OFF' else 'COLLECTED' end)
) with (fillfactor = 80);
create index rail_receivables_open on rail_receivables (platform_id, id) where state = 'OPEN';
create index rail_receivables_account on rail_receivables (platform_id, account_id, id);
create index rail_receivables_customer on rail_receivables (platform_id, customer_id, id);
