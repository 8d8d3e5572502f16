-- Orders that wait until other people have agreed. What concerns a platform is in its partition; what concerns people, in the workspace's.
create table approvals (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  -- The operation that was asked for.
  act text not null,
  state text not null,
  requested_by text not null,
  -- The person who asked, or who made the token that asked. Neither this one nor people who gain by it decide.
  requester_id uuid,
  gainers json not null,
  summary text not null,
  -- The order as it is shown, sealed under seal_id.
  content_sealed text not null,
  seal_id uuid not null,
  content_digest text not null,
  -- What who decides must hold, as of the request.
  capabilities json not null,
  approvals_needed int4 not null,
  decisions json not null,
  result_id text,
  failure json,
  -- The job that ends it when it was not decided in time.
  job_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint approvals_pkey primary key (platform_id, id),
  constraint approvals_needed check (approvals_needed between 1 and 2),
  constraint approvals_state check (
    (state = 'PENDING' and job_id is not null) or
    (state in ('DONE', 'FAILED', 'REJECTED', 'CANCELLED', 'EXPIRED') and job_id is null)
  ),
  constraint approvals_failure check ((state = 'FAILED') = (failure is not null))
) with (fillfactor = 70);
create index approvals_state on approvals (platform_id, state, id);
create index approvals_requester on approvals (platform_id, requester_id, id) where requester_id is not null;
create index approvals_kind on approvals (platform_id, kind, id);

-- Which acts of people wait for others: one row at most, of a platform or of a workspace. What it does not say has its default.
create table approval_policies (
  platform_id uuid not null,
  id uuid not null,
  rules json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint approval_policies_pkey primary key (platform_id, id),
  constraint approval_policies_one_row check (platform_id = id)
);

-- Corrections of balances that were posted.
create table adjustments (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  direction text not null,
  amount_minor int8 not null,
  currency text not null,
  reason_code text not null,
  note text not null,
  document_id uuid,
  approval_id uuid not null,
  requested_by text not null,
  created_at timestamptz not null,
  constraint adjustments_pkey primary key (platform_id, id),
  constraint adjustments_direction check (direction in ('CREDIT', 'DEBIT')),
  constraint adjustments_amount check (amount_minor > 0)
);
create unique index adjustments_approval on adjustments (platform_id, approval_id);
create index adjustments_account on adjustments (platform_id, account_id, id);

-- The person at the beginning of the chain of those who made a token: who asks through it is the person.
alter table tokens add column person_id uuid;
update tokens set person_id = substr(created_by, 8)::uuid where created_by like 'Person:%';
