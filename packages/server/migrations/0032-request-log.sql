-- What was called and how it was answered, kept for some days. It is no audit log: rows are thinned, dropped and deleted. Rows
-- are never updated.
create table request_logs (
  platform_id uuid not null,
  -- Of the host's time, not the platform's.
  id uuid not null,
  created_at timestamptz not null,
  method text not null,
  -- Below the version segment; a segment that is no id is redacted.
  path text not null,
  operation_id text not null,
  status int4 not null,
  error_code text,
  duration_ms int4 not null,
  request_bytes int4 not null,
  response_bytes int4 not null,
  actor_id uuid not null,
  is_agent bool not null,
  address text not null,
  request_id text not null,
  resource_id text,
  -- A keyed digest of the idempotency key; the key itself is in the sealed content.
  key_digest uuid,
  replayed bool not null,
  sampled_one_in int4 not null,
  content_id uuid not null,
  content_place int4 not null,
  constraint request_logs_pkey primary key (platform_id, id)
);
create index request_logs_created on request_logs (created_at);
create index request_logs_request on request_logs (platform_id, request_id);
create index request_logs_actor on request_logs (platform_id, actor_id, id);
create index request_logs_operation on request_logs (platform_id, operation_id, id);
create index request_logs_resource on request_logs (platform_id, resource_id, id) where resource_id is not null;
create index request_logs_key on request_logs (platform_id, key_digest, id) where key_digest is not null;
create index request_logs_refused on request_logs (platform_id, id) where status >= 400;
create index request_logs_replayed on request_logs (platform_id, id) where replayed;
create index request_logs_slow on request_logs (platform_id, id) where duration_ms >= 250;

-- Headers, query and redacted bodies of up to 64 calls in one sealed value, because sealing costs more than the content of a call.
create table request_log_contents (
  platform_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  sealed bytea not null,
  constraint request_log_contents_pkey primary key (platform_id, id)
);
create index request_log_contents_at on request_log_contents (at);

-- How many rows the deployment has written on a day. It is led by no platform, because the limit is the deployment's.
create table request_log_days (
  day date primary key,
  row_count int8 not null
);
