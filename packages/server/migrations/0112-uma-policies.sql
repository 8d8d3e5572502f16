-- What a platform wants of other institutions at UMA: one row a platform; without a row the defaults apply.
create table uma_policies (
  platform_id uuid not null,
  id uuid not null,
  receive bool not null,
  send bool not null,
  counterparties text not null,
  unregulated text not null,
  receiver_kyc text not null,
  payer_kyc text not null,
  certificates text not null,
  authorities json not null,
  pin_keys bool not null,
  callback_hosts text not null,
  invoice_seconds int4 not null,
  layers json not null,
  network text not null,
  updated_at timestamptz not null,
  constraint uma_policies_pkey primary key (platform_id, id),
  constraint uma_policies_one check (id = platform_id),
  constraint uma_policies_invoice_seconds check (invoice_seconds between 60 and 3600)
);

-- Other institutions, as one platform knows them. A forgotten one keeps its row for a day, which is marked; the sweeper deletes it then.
create table uma_counterparties (
  platform_id uuid not null,
  id uuid not null,
  domain text not null,
  status text not null,
  overrides json not null,
  name text,
  versions json not null,
  key_fingerprint text,
  key_since timestamptz,
  previous_fingerprint text,
  key_state text not null,
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint uma_counterparties_pkey primary key (platform_id, id),
  constraint uma_counterparties_status check (status in ('DEFAULT', 'ALLOWED', 'BLOCKED')),
  constraint uma_counterparties_key_state check (key_state in ('OK', 'CHANGED', 'EXPIRED')),
  constraint uma_counterparties_key check ((key_fingerprint is null) = (key_since is null))
);
create unique index uma_counterparties_domain on uma_counterparties (platform_id, domain) where deleted_at is null;
create index uma_counterparties_deleted on uma_counterparties (deleted_at) where deleted_at is not null;
