-- Embedded wallets: the credentials of an account, the sessions they issue, and what waits for an owner's signature.

create table wallet_credentials (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  type text not null,
  nickname text not null,
  identity json,
  passkey_id text,
  passkey json,
  code json,
  code_sealed text,
  code_times json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  constraint wallet_credentials_pkey primary key (platform_id, id),
  constraint wallet_credentials_type check (type in ('OAUTH', 'EMAIL_OTP', 'PASSKEY')),
  constraint wallet_credentials_code check (code_sealed is null or code is not null)
) with (fillfactor = 80);
create index wallet_credentials_account on wallet_credentials (platform_id, account_id, id);
create index wallet_credentials_passkey on wallet_credentials (platform_id, passkey_id) where passkey_id is not null;
create unique index wallet_credentials_one_email on wallet_credentials (platform_id, account_id)
  where type = 'EMAIL_OTP' and revoked_at is null;
create unique index wallet_credentials_one_passkey on wallet_credentials (platform_id, account_id)
  where type = 'PASSKEY' and revoked_at is null;

create table wallet_sessions (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  credential_id uuid not null,
  type text not null,
  nickname text not null,
  public_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint wallet_sessions_pkey primary key (platform_id, id),
  constraint wallet_sessions_public_key check (public_key ~ '^0[23][0-9a-f]{64}$')
) with (fillfactor = 80);
create index wallet_sessions_open on wallet_sessions (platform_id, account_id, id) where ended_at is null;
-- For the sweeper, which looks at all platforms.
create index wallet_sessions_expires_at on wallet_sessions (expires_at);

-- What was asked for and waits for the owner's stamp over payload_to_sign. Used at most once.
create table wallet_requests (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  operation text not null,
  target uuid not null,
  body_sha256 text not null,
  payload_to_sign text not null,
  registration json,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint wallet_requests_pkey primary key (platform_id, id)
) with (fillfactor = 80);
create index wallet_requests_expires_at on wallet_requests (expires_at);

create table passkey_challenges (
  platform_id uuid not null,
  id uuid not null,
  credential_id uuid not null,
  client_public_key text not null,
  challenge text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint passkey_challenges_pkey primary key (platform_id, id)
) with (fillfactor = 80);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- ID tokens that have opened a session: each does so once. The id is cut from the token's digest.
create table spent_tokens (
  platform_id uuid not null,
  id uuid not null,
  remember_until timestamptz not null,
  constraint spent_tokens_pkey primary key (platform_id, id)
);
create index spent_tokens_remember_until on spent_tokens (remember_until);

-- When codes were last sent to an address, over all accounts of a platform. The id is cut from the address's digest.
create table mail_budgets (
  platform_id uuid not null,
  id uuid not null,
  sent_times json not null,
  updated_at timestamptz not null,
  constraint mail_budgets_pkey primary key (platform_id, id)
) with (fillfactor = 80);
create index mail_budgets_updated_at on mail_budgets (updated_at);
