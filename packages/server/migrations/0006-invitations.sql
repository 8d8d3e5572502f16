-- An invitation is found by the hash of its code: the code itself is nowhere in the database.
create table invitations (
  platform_id uuid not null,
  id uuid not null,
  code_hash text not null,
  inviter_customer_id uuid not null,
  inviter_uma text not null,
  first_name text,
  amount_minor int8,
  currency text,
  status text not null,
  invitee_uma text,
  expires_at timestamptz,
  expiry_job_id uuid,
  claimed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint invitations_pkey primary key (platform_id, id),
  constraint invitations_status check (status in ('PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED')),
  constraint invitations_claimed check ((status = 'CLAIMED') = (claimed_at is not null and invitee_uma is not null)),
  constraint invitations_amount check ((amount_minor is null) = (currency is null) and amount_minor > 0),
  constraint invitations_expiry check ((expires_at is null) = (expiry_job_id is null))
);
create unique index invitations_code on invitations (platform_id, code_hash);
