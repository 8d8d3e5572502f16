-- The fault that a sandbox provokes in its next answers to other institutions: one row a platform that has set one.
create table uma_sandbox_faults (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  next int4 not null,
  updated_at timestamptz not null,
  constraint uma_sandbox_faults_pkey primary key (platform_id, id),
  constraint uma_sandbox_faults_one check (id = platform_id),
  constraint uma_sandbox_faults_next check (next between 0 and 100)
);
