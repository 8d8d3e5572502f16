-- The key that takes over at next_from (platform time); until then deliveries are signed with both.
alter table webhook_endpoints
  add column next_key_id text,
  add column next_public_key text,
  add column next_secret_sealed text,
  add column next_from timestamptz,
  add constraint webhook_endpoints_next check (
    (next_key_id is null) = (next_secret_sealed is null) and (next_key_id is null) = (next_from is null)
  );
