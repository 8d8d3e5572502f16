-- Questions put to a platform: whether to take an incoming UMA payment. One a transaction, of the same id. The event that
-- asks is delivered by whoever runs the question's job, not with the stream of the others.
create table payment_approvals (
  platform_id uuid not null,
  id uuid not null,
  event_seq int8 not null,
  job_id uuid not null,
  requested_fields json not null,
  deadline_at timestamptz not null,
  outcome json not null,
  deposit_account_id uuid,
  decision text,
  decided_at timestamptz,
  reason text,
  missing_fields json,
  constraint payment_approvals_pkey primary key (platform_id, id),
  constraint payment_approvals_decision
    check (decision in ('APPROVED', 'REJECTED', 'FAILED', 'TIMED_OUT')),
  constraint payment_approvals_decided check ((decision is null) = (decided_at is null))
) with (fillfactor = 80);
create unique index payment_approvals_event on payment_approvals (platform_id, event_seq);
