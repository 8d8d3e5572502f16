-- Nonces of callbacks for as long as a signature is valid, so that one that was recorded is not taken again. used_at is the host's time.
-- Losing the latest in a crash does no harm: a callback has an effect once by its event id.
create table rail_nonces (
  platform_id uuid not null,
  connection_id uuid not null,
  nonce text not null,
  used_at timestamptz not null,
  constraint rail_nonces_pkey primary key (platform_id, connection_id, nonce)
);
create index rail_nonces_used_at on rail_nonces (used_at);
