-- Invoices that the customers of a platform are paid by from other institutions: the price of a payment, and the text that a connector made
-- for it. The id is that of the transaction.
create table uma_invoices (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  connection_id uuid not null,
  layer text not null,
  identifier text not null,
  asset text not null,
  decimals int4 not null,
  amount_minor int8 not null,
  currency text not null,
  receiving_minor int8 not null,
  fee_minor int8 not null,
  multiplier text not null,
  price json,
  invoice_seconds int4 not null,
  vasp_domain text not null,
  token_id text not null,
  state text not null,
  text text,
  expires_at timestamptz,
  node_pub_key text,
  utxos json,
  entry_id uuid,
  ended_as text,
  job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint uma_invoices_pkey primary key (platform_id, id),
  constraint uma_invoices_amounts
    check (amount_minor > 0 and receiving_minor > 0 and fee_minor >= 0 and fee_minor < amount_minor),
  constraint uma_invoices_state check (state in ('ASKED', 'WANTED', 'OPEN', 'PAID', 'CLOSED')),
  constraint uma_invoices_open check (state <> 'OPEN' or (text is not null and expires_at is not null)),
  constraint uma_invoices_paid check ((state = 'PAID') = (entry_id is not null)),
  constraint uma_invoices_closed check ((state = 'CLOSED') = (ended_as is not null))
);
create index uma_invoices_token on uma_invoices (platform_id, token_id);
create index uma_invoices_under_way on uma_invoices (platform_id, vasp_domain) where state in ('ASKED', 'WANTED', 'OPEN');

-- The invoice that an entry is for.
alter table rail_entries add column invoice_id uuid;
create index rail_entries_invoice on rail_entries (platform_id, invoice_id) where invoice_id is not null;
alter table rail_entries drop constraint rail_entries_booked_as;
alter table rail_entries add constraint rail_entries_booked_as
  check (booked_as in ('PAYMENT', 'RETURN', 'DEPOSIT', 'FUNDING', 'INVOICE', 'SUSPENSE'));
alter table rail_entries drop constraint rail_entries_transaction;
alter table rail_entries add constraint rail_entries_transaction
  check ((booked_as in ('DEPOSIT', 'FUNDING', 'INVOICE')) = (transaction_id is not null));
alter table rail_entries add constraint rail_entries_invoice
  check (booked_as <> 'INVOICE' or invoice_id is not null);
