-- What the operators of a deployment see of it. Neither table belongs to a platform.

-- One row a server, written by it every few seconds. A row that was not written for a day is deleted.
create table deployment_servers (
  id uuid not null,
  name text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  figures json not null,
  constraint deployment_servers_pkey primary key (id)
);

-- Runs of `verify` that operators asked for. The server that has the lease goes on behind the last platform that was checked.
create table verify_runs (
  id uuid not null,
  state text not null,
  requested_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Commands that were logged when the run began.
  total int8 not null,
  -- The last platform or workspace that was checked whole, and the counts up to it.
  position uuid not null,
  counts json not null,
  -- Of the platform that is being checked, for the progress that is shown.
  done int8 not null,
  -- The first discrepancies: where, not what.
  problems json not null,
  failure text,
  -- Attempts since the position moved last.
  attempts int4 not null,
  leased_by uuid,
  leased_until timestamptz not null,
  constraint verify_runs_pkey primary key (id),
  constraint verify_runs_state check (state in ('RUNNING', 'DONE', 'FAILED', 'CANCELLED'))
);
-- One at a time.
create unique index verify_runs_running on verify_runs (state) where state = 'RUNNING';
