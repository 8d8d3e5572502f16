-- Messages after a payment between two institutions, about the channels over which it went. The id is that of the transaction; a payment
-- without messages has no row.
create table uma_hooks (
  platform_id uuid not null,
  id uuid not null,
  state text not null,
  tries int4 not null,
  utxos json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint uma_hooks_pkey primary key (platform_id, id),
  constraint uma_hooks_state check (state in ('NONE', 'PENDING', 'SENT', 'FAILED')),
  constraint uma_hooks_tries check (tries between 0 and 5 and (tries = 0) = (state = 'NONE'))
);

-- Where the payer's institution wants to be told.
alter table uma_invoices add column hook json;

-- What stands for the payment in the URL that the payee's institution was given.
alter table quote_invoices add column hook_id uuid;
create index quote_invoices_hook on quote_invoices (platform_id, hook_id) where hook_id is not null;
