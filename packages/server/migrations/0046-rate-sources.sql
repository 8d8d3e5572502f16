-- Where exchange rates come from, with the rates that are in use. A source reads its document by a job (refresh_job_id), and another one
-- notices that its rates are too old (stale_job_id). The headers of its calls are sealed under the row's seal_id.
create table rate_sources (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  priority int4 not null,
  pivots json not null,
  max_age_minutes int4 not null,
  lock_minutes int4 not null,
  max_move_percent int4,
  settings json not null,
  seal_id text not null,
  headers_sealed text,
  header_facts json not null,
  rates json not null,
  refused json not null,
  as_of timestamptz,
  read_at timestamptz,
  last_error json,
  stale_since timestamptz,
  refresh_job_id uuid,
  stale_job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint rate_sources_pkey primary key (platform_id, id),
  constraint rate_sources_kind check (kind in ('FIXED', 'ECB', 'HTTP')),
  constraint rate_sources_priority check (priority between 1 and 1000),
  constraint rate_sources_lock check (lock_minutes between 1 and 4320),
  constraint rate_sources_deleted check (deleted_at is null or headers_sealed is null)
) with (fillfactor = 80);
-- A name is free again once its source is deleted. The index is also the way to the sources that are there.
create unique index rate_sources_name on rate_sources (platform_id, name) where deleted_at is null;

-- What a source said, each time that it said something else: the values that were taken, and those that were not.
create table rate_observations (
  platform_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  origin text not null,
  as_of timestamptz not null,
  digest text not null,
  rates json not null,
  refused json not null,
  created_at timestamptz not null,
  constraint rate_observations_pkey primary key (platform_id, id),
  constraint rate_observations_origin check (origin in ('PUT', 'UPLOAD', 'FETCH'))
);
create index rate_observations_source on rate_observations (platform_id, source_id, id);
