-- Connections to banks and providers, and the routes that say which payments each carries. A secret is sealed under the row's
-- seal_id; secret_facts has when each was set and its fingerprint. The secrets of an archived connection are null.
create table rail_connections (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  status text not null,
  new_payments text not null,
  currencies json not null,
  account json not null,
  capabilities json not null,
  settings json not null,
  seal_id text not null,
  signing_secret_sealed text,
  callback_secret_sealed text,
  previous_signing_secret_sealed text,
  previous_callback_secret_sealed text,
  secret_facts json not null,
  failures int4 not null,
  last_error json,
  last_report_at timestamptz,
  watch_job_id uuid,
  described_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint rail_connections_pkey primary key (platform_id, id),
  constraint rail_connections_kind check (kind in ('HTTP', 'MANUAL')),
  constraint rail_connections_status check (status in ('SETUP', 'ACTIVE', 'PAUSED', 'DEGRADED', 'ARCHIVED')),
  constraint rail_connections_new_payments check (new_payments in ('REFUSE', 'QUEUE')),
  constraint rail_connections_archived check (
    status <> 'ARCHIVED' or coalesce(signing_secret_sealed, callback_secret_sealed,
      previous_signing_secret_sealed, previous_callback_secret_sealed) is null
  )
) with (fillfactor = 80);
-- A name is free again once its connection is archived.
create unique index rail_connections_name on rail_connections (platform_id, name) where status <> 'ARCHIVED';
-- A callback names its connection and not the platform.
create unique index rail_connections_id on rail_connections (id);

create table rail_routes (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  priority int4 not null,
  direction text not null,
  currency text not null,
  account_types json,
  payment_rails json,
  min_minor int8,
  max_minor int8,
  connection_id uuid not null,
  enabled bool not null,
  fallback_after_seconds int4,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint rail_routes_pkey primary key (platform_id, id),
  constraint rail_routes_priority check (priority between 1 and 1000),
  constraint rail_routes_direction check (direction in ('OUT', 'PULL', 'FUNDING')),
  constraint rail_routes_fallback check (fallback_after_seconds between 60 and 86400)
);
create index rail_routes_live on rail_routes (platform_id, id) where deleted_at is null;

-- What a payment reads to choose its connection: one row a platform, with the id of the platform, written by every command that
-- changes a route or a connection. It can be computed from those rows at any time (`florin verify` does).
create table rail_routings (
  platform_id uuid not null,
  id uuid not null,
  routes json not null,
  connections json not null,
  constraint rail_routings_pkey primary key (platform_id, id)
);
