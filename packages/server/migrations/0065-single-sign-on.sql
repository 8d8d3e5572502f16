-- Sign-in of people by an OpenID issuer of their workspace. A workspace without a row of settings has none.
create table sso_settings (
  platform_id uuid not null,
  id uuid not null,
  -- What people type on the sign-in page: a word, or the domain of their address.
  names json not null,
  -- Names that the directory has for this workspace. A name is never given to another one.
  claimed_names json not null,
  is_required bool not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sso_settings_pkey primary key (platform_id, id),
  constraint sso_settings_one_row check (platform_id = id)
);

create table sso_issuers (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  -- As it stands in the `iss` of its tokens.
  issuer text not null,
  client_id text not null,
  -- What the sealed secret is bound to; each secret has a new one.
  seal_id text not null,
  client_secret_sealed text not null,
  -- The domain whose people are taken in, and their role.
  auto_join json,
  -- When a sign-in with these values was tested last.
  tested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint sso_issuers_pkey primary key (platform_id, id)
);

-- Which subject of an issuer is which person. The digest covers issuer and subject.
create table person_identities (
  platform_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  issuer text not null,
  digest text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ended_at timestamptz,
  constraint person_identities_pkey primary key (platform_id, id)
);
create unique index person_identities_digest on person_identities (platform_id, digest) where ended_at is null;
create index person_identities_person on person_identities (platform_id, person_id) where ended_at is null;

-- A session has the passkey that was shown last, or the issuer that let the person in, or both.
alter table person_sessions alter column passkey_id drop not null;
alter table person_sessions add column issuer_id uuid;
alter table person_sessions add constraint person_sessions_way check (passkey_id is not null or issuer_id is not null);
