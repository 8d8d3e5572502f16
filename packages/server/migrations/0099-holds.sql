-- Money of internal accounts that is set aside for payments that come later.
create table holds (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  currency text not null,
  amount_minor int8 not null,
  captured_minor int8 not null,
  status text not null,
  expires_at timestamptz not null,
  expiry_job_id uuid,
  description text,
  metadata json,
  transaction_ids json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint holds_pkey primary key (platform_id, id),
  constraint holds_amounts check (amount_minor > 0 and captured_minor between 0 and amount_minor),
  constraint holds_status check (status in ('OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED')),
  constraint holds_ended check ((status = 'OPEN') = (expiry_job_id is not null))
);
create index holds_account on holds (platform_id, account_id, id);
create index holds_by_status on holds (platform_id, status, id);
create index holds_open on holds (platform_id, account_id, id) where status = 'OPEN';
