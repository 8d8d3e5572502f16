-- Event types that were added after the first ones go to the default endpoint only with ALL.
alter table platforms
  add column webhook_events text not null default 'STANDARD',
  add constraint platforms_webhook_events check (webhook_events in ('STANDARD', 'ALL'));

-- The key that takes over at webhook_next_from (platform time); until then deliveries are signed with both. webhook_key_id is null
-- until the first rotation, and deliveries name no key until then.
alter table platforms
  add column webhook_key_id text,
  add column webhook_next_key_id text,
  add column webhook_next_public_key text,
  add column webhook_next_key_sealed text,
  add column webhook_next_from timestamptz,
  add constraint platforms_webhook_next check (
    (webhook_next_key_id is null) = (webhook_next_from is null)
    and (webhook_next_key_id is null) = (webhook_next_public_key is null)
    and (webhook_next_key_id is null) = (webhook_next_key_sealed is null)
  );
