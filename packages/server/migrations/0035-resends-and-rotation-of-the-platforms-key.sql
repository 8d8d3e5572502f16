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

-- Orders to send many events again. The selection was resolved when the order was accepted, so it never grows.
create table event_resends (
  platform_id uuid not null,
  id uuid not null,
  state text not null,
  filter json not null,
  selection json not null,
  parts json not null,
  matched int8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  constraint event_resends_pkey primary key (platform_id, id),
  constraint event_resends_state check (state in ('RUNNING', 'COMPLETED', 'STOPPED', 'CANCELLED')),
  constraint event_resends_ended check ((state = 'RUNNING') = (ended_at is null))
) with (fillfactor = 80);
create index event_resends_running on event_resends (platform_id) where state = 'RUNNING';

-- How far an order has come at one endpoint: event_resends.id, or the id of the job that sends a single event again. Written by the
-- delivery worker, with what became of the events. Times are the host's.
create table webhook_resends (
  platform_id uuid not null,
  resend_id uuid not null,
  endpoint_id uuid not null,
  position int8 not null,
  sent int4 not null default 0,
  failed int4 not null default 0,
  leased_by uuid,
  leased_until timestamptz not null default '2000-01-01T00:00:00Z',
  constraint webhook_resends_pkey primary key (platform_id, resend_id, endpoint_id)
) with (fillfactor = 50);

-- No order of many events sends to the endpoint before this time of the host.
alter table webhook_streams add column resend_at timestamptz not null default '2000-01-01T00:00:00Z';
