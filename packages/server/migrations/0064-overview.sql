-- Counts of payments that have ended, by hour and by day of their platform's time (UTC). A worker follows the events and writes the sums
-- together with its position, so no event counts twice and none is left out. They can be made anew from the events: a position of 0.
create table overview_positions (
  platform_id uuid not null,
  -- The last event that the sums contain.
  position int8 not null,
  -- Of the write that moved the position last.
  batch uuid,
  -- One server at a time counts a platform. Host time.
  leased_by uuid,
  leased_until timestamptz not null,
  constraint overview_positions_pkey primary key (platform_id)
) with (fillfactor = 50);

create table payment_hours (
  platform_id uuid not null,
  starts_at timestamptz not null,
  type text not null,
  currency text not null,
  -- Empty for a payment without a rail.
  rail text not null,
  -- RETURNED counts a payment besides its COMPLETED.
  outcome text not null,
  -- Why it failed or was returned; empty otherwise.
  reason text not null,
  payments int8 not null,
  -- What the sender of an outgoing payment was debited, and what the receiver of an incoming one got.
  amount_minor numeric not null,
  constraint payment_hours_pkey primary key (platform_id, starts_at, type, currency, rail, outcome, reason),
  constraint payment_hours_outcome check (outcome in ('COMPLETED', 'CANCELLED', 'FAILED', 'RETURNED'))
) with (fillfactor = 50);
create index payment_hours_starts_at on payment_hours (starts_at);

create table payment_days (
  platform_id uuid not null,
  starts_at timestamptz not null,
  type text not null,
  currency text not null,
  rail text not null,
  outcome text not null,
  reason text not null,
  payments int8 not null,
  amount_minor numeric not null,
  constraint payment_days_pkey primary key (platform_id, starts_at, type, currency, rail, outcome, reason),
  constraint payment_days_outcome check (outcome in ('COMPLETED', 'CANCELLED', 'FAILED', 'RETURNED'))
) with (fillfactor = 50);
create index payment_days_starts_at on payment_days (starts_at);

-- What waits for a person.
create index payment_approvals_open on payment_approvals (platform_id, deadline_at) where decision is null;
create index verifications_in_review on verifications (platform_id, id) where status = 'PENDING_MANUAL_REVIEW';
