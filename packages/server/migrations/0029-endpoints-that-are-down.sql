-- A stream belongs to an endpoint of its platform; the default endpoint, that of the platform's configuration, has the id zero.
alter table webhook_streams add column endpoint_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table webhook_streams drop constraint webhook_streams_pkey;
alter table webhook_streams add constraint webhook_streams_pkey primary key (platform_id, endpoint_id);

alter table webhook_deliveries add column endpoint_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table webhook_deliveries drop constraint webhook_deliveries_pkey;
alter table webhook_deliveries add constraint webhook_deliveries_pkey primary key (platform_id, endpoint_id, event_seq);
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (platform_id, endpoint_id, next_at) where state = 'WAITING';
drop index webhook_deliveries_subject;
create index webhook_deliveries_subject on webhook_deliveries (platform_id, endpoint_id, subject, event_seq)
  where state <> 'FAILED';

-- An endpoint to which no connection can be made is down: its stream stands still and is probed at probe_at (host time). The
-- state belongs to one setting of the endpoint, like that of one that answered 410.
alter table webhook_streams
  add column down_setting int8,
  add column down_since timestamptz,
  add column down_reason text,
  add column probe_at timestamptz,
  add column probes int4 not null default 0;
