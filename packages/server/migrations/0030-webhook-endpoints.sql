-- Webhook endpoints beside the one of the platform's configuration. The secret is a P-256 private key or the secret of Standard
-- Webhooks, sealed; key_id names it. Events up to since_event_seq happened before the endpoint's time and are never delivered.
create table webhook_endpoints (
  platform_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  events json not null,
  is_disabled bool not null,
  setting int8 not null,
  since_event_seq int8 not null,
  signature text not null,
  key_id text not null,
  public_key text,
  secret_sealed text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint webhook_endpoints_pkey primary key (platform_id, id),
  constraint webhook_endpoints_signature check (signature in ('P256', 'STANDARD_WEBHOOKS'))
);
