-- Payments that are made later, once or again and again, by a rule.
create table payment_schedules (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  template json not null,
  currency text not null,
  rule json not null,
  retry json,
  status text not null,
  is_stopped boolean not null,
  next_at timestamptz,
  job_id uuid,
  passed int4 not null,
  runs int4 not null,
  last_run json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_schedules_pkey primary key (platform_id, id),
  constraint payment_schedules_status check (status in ('ACTIVE', 'PAUSED', 'ENDED')),
  constraint payment_schedules_next check ((next_at is not null) = (status = 'ACTIVE'))
);

create table payment_schedule_runs (
  platform_id uuid not null,
  id uuid not null,
  schedule_id uuid not null,
  due_at timestamptz not null,
  trigger text not null,
  status text not null,
  transaction_id uuid,
  error json,
  attempts int4 not null,
  retry_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_schedule_runs_pkey primary key (platform_id, id),
  constraint payment_schedule_runs_status
    check (status in ('CREATED', 'REFUSED', 'WAITING', 'MISSED', 'SKIPPED')),
  constraint payment_schedule_runs_made check ((transaction_id is not null) = (status = 'CREATED'))
);
create index payment_schedule_runs_schedule on payment_schedule_runs (platform_id, schedule_id, id);
-- A due time has one run.
create unique index payment_schedule_runs_once on payment_schedule_runs (platform_id, schedule_id, due_at)
  where trigger = 'RULE';
