-- Messages that were exchanged with other institutions, kept for 30 days: what kind, with whom, how it ended. No address, name, amount or body.
-- Written beside the engine, in batches that do not wait for the disk. Host time.
create table uma_exchanges (
  platform_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  direction text not null,
  kind text not null,
  vasp_domain text not null,
  uma_version text,
  outcome text not null,
  ms int4 not null,
  transaction_id uuid,
  lookup_id uuid,
  constraint uma_exchanges_pkey primary key (platform_id, id)
);
create index uma_exchanges_domain on uma_exchanges (platform_id, vasp_domain, id);
create index uma_exchanges_at on uma_exchanges (at);

-- How many lookups and payments went well with each counterparty. Written with the exchanges, and swept with the counterparty.
create table uma_counterparty_counts (
  platform_id uuid not null,
  domain text not null,
  lookups_in int8 not null,
  lookups_out int8 not null,
  payments_in int8 not null,
  payments_out int8 not null,
  constraint uma_counterparty_counts_pkey primary key (platform_id, domain)
);
