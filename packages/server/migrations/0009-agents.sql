-- An agent acts for one customer. Its usage is kept with it: what was spent in the day and month of usage_day, and what
-- its waiting actions have reserved, all in the currency of its policy.
create table agents (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  name text not null,
  is_paused bool not null,
  policy json not null,
  access_token_hash text,
  usage_day text not null,
  usage_day_count int4 not null,
  usage_day_minor int8 not null,
  usage_month_minor int8 not null,
  reserved_count int4 not null,
  reserved_minor int8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint agents_pkey primary key (platform_id, id),
  constraint agents_usage check (usage_day_count >= 0 and usage_day_minor >= 0 and usage_month_minor >= 0),
  constraint agents_reserved check (reserved_count >= 0 and reserved_minor >= 0)
) with (fillfactor = 70);
create unique index agents_access_token on agents (platform_id, access_token_hash) where access_token_hash is not null;
create index agents_customer on agents (platform_id, customer_id, id);

create table agent_device_codes (
  platform_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  code_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  voided_at timestamptz,
  constraint agent_device_codes_pkey primary key (platform_id, id)
);
create unique index agent_device_codes_code on agent_device_codes (platform_id, code_hash);
create unique index agent_device_codes_live on agent_device_codes (platform_id, agent_id)
  where redeemed_at is null and voided_at is null;

-- The agent that asked for a quote, and alone may execute it as an agent.
alter table quotes add column agent_id uuid;

create table agent_actions (
  platform_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  customer_id uuid not null,
  platform_customer_id text not null,
  type text not null,
  status text not null,
  source_account_id uuid,
  destination_account_id uuid,
  payment_rail text,
  quote_id uuid,
  is_signed_by_owner bool not null,
  transaction_id uuid,
  amount_minor int8 not null,
  currency text not null,
  counted_minor int8 not null,
  counted_currency text not null,
  executed_at timestamptz,
  rejection_reason text,
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint agent_actions_pkey primary key (platform_id, id),
  constraint agent_actions_status check (status in ('PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED')),
  constraint agent_actions_waiting check (status <> 'PENDING_APPROVAL' or transaction_id is null)
);
create index agent_actions_agent on agent_actions (platform_id, agent_id, id);
create index agent_actions_pending on agent_actions (platform_id, id) where status = 'PENDING_APPROVAL';
create index agent_actions_pending_agent on agent_actions (platform_id, agent_id) where status = 'PENDING_APPROVAL';
-- A transaction is made by one action at most, and a quote waits in one at most.
create unique index agent_actions_transaction on agent_actions (platform_id, transaction_id)
  where transaction_id is not null;
create unique index agent_actions_pending_quote on agent_actions (platform_id, quote_id)
  where quote_id is not null and status = 'PENDING_APPROVAL';
