-- How money comes in at a connection.
alter table rail_connections add column funding json not null default '{"mode": "NONE"}';

-- By what money from outside is recognised as being for an account or for a quote: a reference that the payer quotes, an account number
-- that was given to this one alone, or what a connector was asked for under the row's id. A row is kept for ever. The reference is
-- unique in the deployment, so the index on it is not led by the platform.
create table funding_addresses (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  account_id uuid,
  quote_id uuid,
  currency text not null,
  mode text not null,
  reference text,
  virtual_account text,
  told json,
  job_id uuid,
  created_at timestamptz not null,
  constraint funding_addresses_pkey primary key (platform_id, id),
  constraint funding_addresses_owner check ((account_id is null) <> (quote_id is null)),
  constraint funding_addresses_mode check (
    (mode = 'REFERENCE' and reference is not null and virtual_account is null and told is null) or
    (mode = 'VIRTUAL_ACCOUNTS' and reference is null and virtual_account is not null and told is null) or
    (mode = 'CONNECTOR' and reference is null and virtual_account is null)
  )
) with (fillfactor = 90);
create unique index funding_addresses_reference on funding_addresses (reference);
create unique index funding_addresses_account on funding_addresses (platform_id, account_id, connection_id, mode);
create unique index funding_addresses_quote on funding_addresses (platform_id, quote_id, connection_id);
create unique index funding_addresses_virtual_account on funding_addresses (platform_id, virtual_account, connection_id);

-- Account numbers of a bank that lead to a connection's account. Each is given to one account, and never again.
create table virtual_accounts (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  number text not null,
  address_id uuid,
  created_at timestamptz not null,
  constraint virtual_accounts_pkey primary key (platform_id, id),
  constraint virtual_accounts_number unique (platform_id, connection_id, number)
) with (fillfactor = 80);
create index virtual_accounts_free on virtual_accounts (platform_id, connection_id, id) where address_id is null;

-- Entries that credit an account or fund a quote name the transaction, and the address by which they found it.
alter table rail_entries add column booked_at timestamptz;
alter table rail_entries add column virtual_account text;
alter table rail_entries add column address_id uuid;
alter table rail_entries add column transaction_id uuid;
alter table rail_entries drop constraint rail_entries_booked_as;
alter table rail_entries add constraint rail_entries_booked_as
  check (booked_as in ('PAYMENT', 'RETURN', 'DEPOSIT', 'FUNDING', 'SUSPENSE'));
alter table rail_entries drop constraint rail_entries_payment;
alter table rail_entries add constraint rail_entries_payment check (booked_as not in ('PAYMENT', 'RETURN') or payment_id is not null);
alter table rail_entries add constraint rail_entries_transaction check ((booked_as in ('DEPOSIT', 'FUNDING')) = (transaction_id is not null));

-- A HELD item is for account_id, and was above the ceiling. An item may be of money that a failed quote gave back (transaction_id), or
-- that an order could not give back (payment_id). An entry has one item without either, and one more for each of those.
alter table rail_items add column account_id uuid;
alter table rail_items add column transaction_id uuid;
alter table rail_items add column payment_id uuid;
alter table rail_items drop constraint rail_items_entry;
alter table rail_items add constraint rail_items_entry
  unique nulls not distinct (platform_id, entry_id, payment_id, transaction_id);
alter table rail_items drop constraint rail_items_state;
alter table rail_items add constraint rail_items_state check (
  (state in ('OPEN', 'HELD') and resolution is null and resolved_at is null) or
  (state = 'RESOLVED' and resolution is not null and resolved_at is not null and job_id is null)
);
alter table rail_items add constraint rail_items_held check (state <> 'HELD' or account_id is not null);
create index rail_items_transaction on rail_items (platform_id, transaction_id);
-- Items that wait for a person, of either state.
drop index rail_items_open;
create index rail_items_open on rail_items (platform_id, state, id) where state in ('OPEN', 'HELD');
drop index rail_items_open_of_connection;
create index rail_items_open_of_connection on rail_items (platform_id, connection_id, state, id) where state in ('OPEN', 'HELD');

-- Money from outside that a quote has. item_id: it was set aside to be given back.
create table quote_fundings (
  platform_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  connection_id uuid not null,
  entry_id uuid not null,
  amount_minor int8 not null,
  item_id uuid,
  created_at timestamptz not null,
  constraint quote_fundings_pkey primary key (platform_id, id),
  constraint quote_fundings_entry unique (platform_id, entry_id, quote_id),
  constraint quote_fundings_amount check (amount_minor > 0)
) with (fillfactor = 80);
create index quote_fundings_quote on quote_fundings (platform_id, quote_id);

-- A transaction may have an order to collect its money, one to pay it out, and orders that give money back. An order that gives back the
-- money of an item names the item, and has no transaction when the money was for none.
alter table rail_payments add column item_id uuid;
alter table rail_payments add column original_entry_id uuid;
alter table rail_payments alter column transaction_id drop not null;
alter table rail_payments drop constraint rail_payments_direction;
alter table rail_payments add constraint rail_payments_direction check (direction in ('OUT', 'PULL', 'BACK'));
alter table rail_payments add constraint rail_payments_purpose
  check ((direction = 'BACK' and coalesce(transaction_id, item_id) is not null) or (transaction_id is not null and item_id is null));
drop index rail_payments_transaction;
create unique index rail_payments_transaction on rail_payments (platform_id, transaction_id, direction, item_id) nulls not distinct;
