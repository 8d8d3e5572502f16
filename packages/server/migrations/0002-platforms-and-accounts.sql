create table platforms (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  environment text not null,
  uma_domain text not null,
  uma_domains json not null,
  proxy_uma_subdomain text not null,
  sandbox_uma_domain text,
  is_regulated_financial_institution bool not null,
  webhook_endpoint text,
  webhook_since_event_seq int8 not null,
  webhook_public_key text not null,
  webhook_private_key_sealed text not null,
  supported_currencies json not null,
  embedded_wallet_config json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint platforms_pkey primary key (platform_id, id),
  constraint platforms_one_row check (platform_id = id),
  constraint platforms_environment check (environment in ('SANDBOX', 'PRODUCTION'))
);

create table tokens (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  permissions json not null,
  client_id text not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint tokens_pkey primary key (platform_id, id)
);
create unique index tokens_client_id on tokens (platform_id, client_id);

create table customers (
  platform_id uuid not null,
  id uuid not null,
  platform_customer_id text not null,
  customer_type text not null,
  uma_address text not null,
  region text,
  currencies json not null,
  email text,
  phone_number text,
  address json,
  full_name text,
  birth_date text,
  nationality text,
  kyc_status text,
  kyb_status text,
  profile json not null,
  identity_sealed text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint customers_pkey primary key (platform_id, id)
);
create unique index customers_platform_customer_id on customers (platform_id, platform_customer_id)
  where deleted_at is null;
create index customers_uma_address on customers (platform_id, uma_address);

create table internal_accounts (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid,
  type text not null,
  status text not null,
  currency text not null,
  is_simulated bool not null,
  wallet_address text,
  wallet_mnemonic_sealed text,
  created_at timestamptz not null,
  constraint internal_accounts_pkey primary key (platform_id, id)
);
create index internal_accounts_customer on internal_accounts (platform_id, customer_id, id);

create table external_accounts (
  platform_id uuid not null,
  id uuid not null,
  customer_id uuid,
  status text not null,
  currency text not null,
  account_type text not null,
  account_info json not null,
  primary_identifier text not null,
  fingerprint text not null,
  platform_account_id text,
  default_uma_deposit_account bool not null,
  beneficiary_verification_status text,
  beneficiary_verified_full_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint external_accounts_pkey primary key (platform_id, id)
);
create unique index external_accounts_same on external_accounts (platform_id, fingerprint) where deleted_at is null;
create unique index external_accounts_default_deposit on external_accounts (platform_id, customer_id)
  where default_uma_deposit_account and deleted_at is null;

create table transactions (
  platform_id uuid not null,
  id uuid not null,
  type text not null,
  status text not null,
  customer_id uuid,
  platform_customer_id text not null,
  source json not null,
  destination json not null,
  source_account_id uuid,
  destination_account_id uuid,
  sent_minor int8,
  sent_currency text,
  received_minor int8,
  received_currency text,
  quote_id uuid,
  agent_id uuid,
  reference text,
  description text,
  failure_reason text,
  refund json,
  details json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  constraint transactions_pkey primary key (platform_id, id)
) with (fillfactor = 80);
create index transactions_customer on transactions (platform_id, customer_id, id);
create index transactions_source on transactions (platform_id, source_account_id, id) where source_account_id is not null;
create index transactions_destination on transactions (platform_id, destination_account_id, id)
  where destination_account_id is not null;
create index transactions_reference on transactions (platform_id, reference) where reference is not null;
