-- The keys by which institutions that speak UMA know a platform. Of a destroyed key the public part stays. Times of keys and certificates are
-- those of the host's clock; created_at and updated_at are platform times.
create table uma_keys (
  platform_id uuid not null,
  id uuid not null,
  use text not null,
  status text not null,
  public_key text not null,
  private_sealed text,
  source text not null,
  chain json not null,
  names json not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  takes_over_at timestamptz,
  destroy_at timestamptz,
  told_days int4,
  job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint uma_keys_pkey primary key (platform_id, id),
  constraint uma_keys_use check (use in ('SIGNING', 'ENCRYPTION')),
  constraint uma_keys_status check (status in ('NEXT', 'CURRENT', 'PREVIOUS', 'DESTROYED')),
  constraint uma_keys_source check (source in ('SELF_SIGNED', 'AUTHORITY')),
  constraint uma_keys_private check ((private_sealed is null) = (status = 'DESTROYED')),
  constraint uma_keys_destroy check ((destroy_at is not null) = (status = 'PREVIOUS'))
);
