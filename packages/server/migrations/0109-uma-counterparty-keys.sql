-- The keys that other institutions publish, by their domain. They are the same for all platforms, so the table is led by no platform. A row
-- without a document marks a fetch that is under way. Host time.
create table uma_counterparty_keys (
  domain text not null,
  document text,
  fetched_at timestamptz,
  expires_at timestamptz,
  fetching_until timestamptz,
  constraint uma_counterparty_keys_pkey primary key (domain),
  constraint uma_counterparty_keys_whole
    check ((document is null) = (fetched_at is null) and (document is null) = (expires_at is null)),
  constraint uma_counterparty_keys_used check (document is not null or fetching_until is not null)
);
