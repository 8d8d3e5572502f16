-- People and what they do. A workspace is a partition like a platform: its id stands in platform_id, and it has a head, a command log
-- and a hash chain of its own, but no ledger and no events.
create table workspaces (
  platform_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint workspaces_pkey primary key (platform_id, id),
  constraint workspaces_one_row check (platform_id = id)
);

-- A platform belongs to one workspace for good. Each platform that exists gets a workspace of its own, with a UUIDv7.
alter table platforms add column workspace_id uuid;
update platforms p set workspace_id = made.id::uuid
  from (
    select platform_id, substr(time, 1, 8) || '-' || substr(time, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16) as id
      from (select platform_id, lpad(to_hex(floor(extract(epoch from created_at) * 1000)::int8), 12, '0') as time from platforms) t
  ) made
  where made.platform_id = p.platform_id;
insert into workspaces (platform_id, id, name, created_at, updated_at)
  select workspace_id, workspace_id, name, created_at, created_at from platforms;
insert into platform_heads (platform_id) select workspace_id from platforms;
alter table platforms alter column workspace_id set not null;
-- Led by the workspace: a person's platforms are listed by it.
create index platforms_workspace on platforms (workspace_id, id);

create table people (
  platform_id uuid not null,
  id uuid not null,
  -- In lower case.
  email text not null,
  name text not null,
  locale text,
  time_zone text,
  state text not null,
  is_operator bool not null,
  roles json not null,
  -- Until then the person approves nothing: set by a re-enrolment.
  approves_from timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint people_pkey primary key (platform_id, id),
  constraint people_state check (state in ('INVITED', 'ACTIVE', 'SUSPENDED', 'REMOVED'))
);
create unique index people_email on people (platform_id, email) where state <> 'REMOVED';

create table person_passkeys (
  platform_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  credential_id text not null,
  public_key text not null,
  -- The host name that it was made for.
  rp_id text not null,
  sign_count int8 not null,
  backup_eligible bool not null,
  is_synced bool not null,
  transports json not null,
  nickname text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  deleted_at timestamptz,
  constraint person_passkeys_pkey primary key (platform_id, id)
);
create unique index person_passkeys_credential on person_passkeys (platform_id, credential_id);
create index person_passkeys_person on person_passkeys (platform_id, person_id) where deleted_at is null;

-- Links with a code that leads to a first passkey. The code is kept as a hash.
create table person_links (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Null for a START link, whose person does not exist yet.
  person_id uuid,
  code_hash text not null,
  makes_operator bool not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint person_links_pkey primary key (platform_id, id),
  constraint person_links_kind check (kind in ('START', 'INVITE', 'RE_ENROL')),
  constraint person_links_person check ((kind = 'START') = (person_id is null))
);
create unique index person_links_code on person_links (platform_id, code_hash);
create index person_links_open on person_links (platform_id, person_id) where ended_at is null;

create table person_sessions (
  platform_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  passkey_id uuid not null,
  secret_hash text not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  -- When the person last showed a passkey.
  proven_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint person_sessions_pkey primary key (platform_id, id)
) with (fillfactor = 80);
create unique index person_sessions_secret on person_sessions (platform_id, secret_hash);
create index person_sessions_open on person_sessions (platform_id, person_id) where ended_at is null;
create index person_sessions_expires_at on person_sessions (expires_at);

-- When a session was last used. Kept beside the engine, like the days on which tokens were used.
create table person_session_uses (
  platform_id uuid not null,
  session_id uuid not null,
  last_act_at timestamptz not null,
  -- Whether a production platform was looked at, which shortens the idle time.
  used_production bool not null,
  constraint person_session_uses_pkey primary key (platform_id, session_id)
) with (fillfactor = 50);
create index person_session_uses_last_act_at on person_session_uses (last_act_at);

-- Who did what: at most one entry a command, covered by the digest of the command's effects.
create table audit_entries (
  platform_id uuid not null,
  command_seq int8 not null,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text,
  act text not null,
  target_kind text,
  target_id text,
  target_label text,
  reason text,
  changes text not null,
  address text,
  user_agent text,
  session_id uuid,
  approval_id uuid,
  request_id text,
  constraint audit_entries_pkey primary key (platform_id, command_seq)
);
create unique index audit_entries_id on audit_entries (platform_id, id);
create index audit_entries_actor on audit_entries (platform_id, actor_id, command_seq);
create index audit_entries_act on audit_entries (platform_id, act, command_seq);
create index audit_entries_target on audit_entries (platform_id, target_id, command_seq) where target_id is not null;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();
revoke update, delete, truncate on audit_entries from current_user;

-- Calls in the console are a person's.
alter table request_logs add column is_person bool not null default false;
-- A file of customers may be a person's.
alter table bulk_jobs add column is_person bool not null default false;

-- Who decides the verifications of a platform: its own people and tokens, or the operator. An upgrade lets no platform approve its own
-- customers in production.
alter table platforms add column reviewers text not null default 'WORKSPACE';
update platforms set reviewers = 'OPERATOR' where environment = 'PRODUCTION';
alter table platforms alter column reviewers drop default;
alter table platforms add constraint platforms_reviewers check (reviewers in ('WORKSPACE', 'OPERATOR'));
-- The code of a rejection, for people.
alter table verifications add column decision_reason text;
