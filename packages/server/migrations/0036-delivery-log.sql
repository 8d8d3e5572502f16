-- Attempts to deliver events, written beside the commits and kept for some days: a partition a day (UTC), which is dropped as a whole.
-- It is no record of what was delivered: rows of successes are thinned, and rows are dropped when the writer is behind. Rows are never
-- updated. The table is led by its platform; the time is last in the key because a partition's key has to hold it.
create table webhook_attempts (
  platform_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- Of the host's time, like `at`; clock_offset_ms is the platform's time less that.
  id uuid not null,
  at timestamptz not null,
  clock_offset_ms int8 not null,
  -- Counted from 1 for each delivery.
  number int4 not null,
  is_delivered bool not null,
  -- Null when there was no answer; then error says why.
  status int4,
  error text,
  connect_ms int4,
  first_byte_ms int4,
  total_ms int4 not null,
  -- JSON objects. It is text because it is never searched.
  request_headers text not null,
  response_headers text,
  response_body text,
  server text not null,
  constraint webhook_attempts_pkey primary key (platform_id, event_id, endpoint_id, at, id)
) partition by range (at);

-- Attaching a partition leaves readers and writers of the others alone; creating it as a partition would wait for all of them.
create function add_webhook_attempts_day(day date) returns void language plpgsql as $$
declare
  name text := 'webhook_attempts_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(name) is not null then return; end if;
  -- Two servers may add the same day. Attaching takes this lock anyway.
  lock table webhook_attempts in share update exclusive mode;
  if to_regclass(name) is not null then return; end if;
  execute format('create table %I (like webhook_attempts including all)', name);
  execute format('alter table webhook_attempts attach partition %I for values from (%L) to (%L)', name,
    to_char(day, 'YYYY-MM-DD"T00:00:00Z"'), to_char(day + 1, 'YYYY-MM-DD"T00:00:00Z"'));
end $$;

-- Drops the days before this one and answers how many. Dropping waits for readers, for a second at most: the next sweep tries again.
create function drop_webhook_attempts_before(day date) returns int8 language plpgsql set lock_timeout = '1s' as $$
declare
  dropped int8 := 0;
  name text;
begin
  lock table webhook_attempts in share update exclusive mode;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_attempts'::regclass and c.relname::text < 'webhook_attempts_' || to_char(day, 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- Counts of all attempts, thinned ones included, by hours of the host's time. `latencies` counts answers by their time: the bounds are in
-- endpoint-health.sql.ts.
create table webhook_endpoint_hours (
  platform_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz not null,
  attempts int8 not null,
  delivered int8 not null,
  latencies int8[] not null,
  constraint webhook_endpoint_hours_pkey primary key (platform_id, endpoint_id, hour)
) with (fillfactor = 50);
create index webhook_endpoint_hours_hour on webhook_endpoint_hours (hour);

-- The failures since the last success, for one setting of an endpoint. Platform time.
create table webhook_endpoint_health (
  platform_id uuid not null,
  endpoint_id uuid not null,
  setting int8 not null,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  failing_since timestamptz,
  failures int8 not null,
  constraint webhook_endpoint_health_pkey primary key (platform_id, endpoint_id)
) with (fillfactor = 50);

alter table webhook_deliveries add column last_status int4;
create index webhook_deliveries_by_state on webhook_deliveries (platform_id, endpoint_id, state, event_seq);

-- Up to filter_since_event_seq an endpoint had another filter: of these events only attempts tell which ones it got. disabled_reason
-- says why an endpoint was disabled that the platform did not disable.
alter table webhook_endpoints add column filter_since_event_seq int8, add column disabled_reason text;
update webhook_endpoints set filter_since_event_seq = since_event_seq;
alter table webhook_endpoints alter column filter_since_event_seq set not null;

-- The same of the default endpoint: the event before which platforms.webhook_events was another choice.
alter table platforms add column webhook_filter_since_event_seq int8 not null default 0;
