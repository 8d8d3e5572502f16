-- What the keepers of accounts outside have booked. An entry is never changed; its bank reference names it once per connection.
create table rail_entries (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  bank_reference text not null,
  direction text not null,
  currency text not null,
  amount_minor int8 not null,
  booked_on text not null,
  value_date text,
  reference text,
  remittance text,
  payer json,
  booked_as text not null,
  payment_id uuid,
  source text not null,
  booked_by text not null,
  created_at timestamptz not null,
  constraint rail_entries_pkey primary key (platform_id, id),
  constraint rail_entries_once unique (platform_id, bank_reference, connection_id),
  constraint rail_entries_amount check (amount_minor > 0),
  constraint rail_entries_direction check (direction in ('CREDIT', 'DEBIT')),
  constraint rail_entries_booked_as check (booked_as in ('PAYMENT', 'RETURN', 'SUSPENSE')),
  constraint rail_entries_payment check (booked_as = 'SUSPENSE' or payment_id is not null)
);
create index rail_entries_connection on rail_entries (platform_id, connection_id, id);
create trigger rail_entries_append_only before update or delete on rail_entries
  for each row execute function refuse_change();
create trigger rail_entries_no_truncate before truncate on rail_entries
  for each statement execute function refuse_change();

-- Money of unknown purpose, one row for each entry in suspense, until a person says whose it is.
create table rail_items (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  entry_id uuid not null,
  reason text not null,
  direction text not null,
  currency text not null,
  amount_minor int8 not null,
  state text not null,
  aged_days int4 not null,
  job_id uuid,
  resolution json,
  resolved_at timestamptz,
  created_at timestamptz not null,
  constraint rail_items_pkey primary key (platform_id, id),
  constraint rail_items_entry unique (platform_id, entry_id),
  constraint rail_items_amount check (amount_minor > 0),
  constraint rail_items_state check (
    (state = 'OPEN' and resolution is null and resolved_at is null) or
    (state = 'RESOLVED' and resolution is not null and resolved_at is not null and job_id is null)
  )
) with (fillfactor = 80);
create index rail_items_connection on rail_items (platform_id, connection_id, id);
create index rail_items_open on rail_items (platform_id, id) where state = 'OPEN';
create index rail_items_open_of_connection on rail_items (platform_id, connection_id, id) where state = 'OPEN';

-- The entries that told of an order: the one that booked it, and the one that booked its return.
alter table rail_payments add column settled_entry_id uuid;
alter table rail_payments add column returned_entry_id uuid;

alter table ledger_accounts drop constraint ledger_accounts_connection;
alter table ledger_accounts add constraint ledger_accounts_connection
  check ((kind in ('clearing', 'suspense', 'own-funds')) = (connection_id is not null));
