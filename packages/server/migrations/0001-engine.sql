-- The engine's tables: heads, the command log, events, jobs, the books. platform_id leads every key, so that a platform
-- lives in one place of a distributed database. Exceptions are named where they stand.

create table platform_heads (
  platform_id uuid not null,
  seq int8 not null default 0,
  event_seq int8 not null default 0,
  clock_offset_ms int8 not null default 0,
  last_at timestamptz not null default '2000-01-01T00:00:00Z',
  chain_hash bytea not null default decode(repeat('00', 32), 'hex'),
  constraint platform_heads_pkey primary key (platform_id),
  constraint platform_heads_seq_rises check (seq >= 0 and event_seq >= 0 and clock_offset_ms >= 0)
) with (fillfactor = 50);

-- Moves a head on from a known place. The caller sends it first in the same breath as all its writes: when another
-- writer was here in between, it fails, and everything behind it is skipped.
create function advance_platform_head(
  of_platform uuid, expected_seq int8, expected_chain_hash bytea, new_seq int8, new_event_seq int8,
  new_clock_offset_ms int8, new_last_at timestamptz, new_chain_hash bytea
) returns void language plpgsql as $$
begin
  update platform_heads set
    seq = new_seq, event_seq = new_event_seq, clock_offset_ms = new_clock_offset_ms,
    last_at = new_last_at, chain_hash = new_chain_hash
  where platform_id = of_platform and seq = expected_seq and chain_hash = expected_chain_hash;
  if not found then
    raise exception 'the head of the platform has moved' using errcode = 'FL001';
  end if;
end $$;

create table command_log (
  platform_id uuid not null,
  seq int8 not null,
  id uuid not null,
  name text not null,
  actor text not null,
  at timestamptz not null,
  clock_offset_ms int8 not null,
  idempotency_digest uuid,
  idempotency_scope text,
  idempotency_key text,
  body_digest bytea,
  status int4 not null,
  answer text,
  answer_sealed bool not null,
  answer_digest bytea not null,
  effects_digest bytea not null,
  hash bytea not null,
  constraint command_log_pkey primary key (platform_id, seq)
);
-- For the sweeper: rows come in the order of time, so a summary of each block range is enough.
create index command_log_at on command_log using brin (at);
create unique index command_log_idempotency on command_log (platform_id, idempotency_digest)
  where idempotency_digest is not null;

create table events (
  platform_id uuid not null,
  seq int8 not null,
  id uuid not null,
  command_seq int8 not null,
  type text not null,
  subject text not null,
  at timestamptz not null,
  body text not null,
  constraint events_pkey primary key (platform_id, seq)
);

create table ledger_accounts (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  currency text not null,
  guarded bool not null,
  balance_minor int8 not null,
  held_minor int8 not null,
  version int8 not null,
  updated_at timestamptz not null,
  constraint ledger_accounts_pkey primary key (platform_id, id),
  constraint ledger_accounts_guarded check (not guarded or balance_minor >= 0),
  constraint ledger_accounts_held check (held_minor >= 0)
) with (fillfactor = 70);

create table ledger_entries (
  platform_id uuid not null,
  command_seq int8 not null,
  line int4 not null,
  account_id uuid not null,
  version int8 not null,
  posting int4 not null,
  reason text not null,
  currency text not null,
  amount_minor int8 not null,
  balance_after_minor int8 not null,
  held_for_account_id uuid,
  at timestamptz not null,
  constraint ledger_entries_pkey primary key (platform_id, command_seq, line),
  constraint ledger_entries_amount check (amount_minor <> 0)
);

create table jobs (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  payload json not null,
  due_at timestamptz not null,
  run_at timestamptz not null,
  attempts int4 not null,
  constraint jobs_pkey primary key (platform_id, id)
);
-- Led by time, not by platform: each server looks for due work of all platforms of its own database.
create index jobs_run_at on jobs (run_at);

-- Names that are unique across the deployment: a token's client id leads to its platform. A reference table.
create table directory (
  handle text not null,
  platform_id uuid not null,
  constraint directory_pkey primary key (handle)
);

-- Facts about the deployment that must not change under it, such as which master key its secrets are sealed with.
create table deployment_facts (
  name text not null,
  value text not null,
  constraint deployment_facts_pkey primary key (name)
);

-- How far the events of a platform have been told. Kept by the delivery worker, not by the engine. An endpoint that
-- answered 410 is stopped; it stays so until the platform sets another one, which changes its "since".
create table webhook_streams (
  platform_id uuid not null,
  position int8 not null default 0,
  leased_by uuid,
  leased_until timestamptz not null default '2000-01-01T00:00:00Z',
  endpoint text,
  stopped_at timestamptz,
  stopped_since_event_seq int8,
  constraint webhook_streams_pkey primary key (platform_id)
) with (fillfactor = 50);

-- Events that were not taken at the first attempt. WAITING: due at next_at (host time). BEHIND: an earlier event of the
-- same subject is to be taken first. FAILED: given up, can be sent again by hand.
create table webhook_deliveries (
  platform_id uuid not null,
  event_seq int8 not null,
  subject text not null,
  state text not null,
  attempts int4 not null,
  next_at timestamptz,
  leased_until timestamptz not null default '2000-01-01T00:00:00Z',
  parked_at timestamptz not null,
  last_outcome text,
  constraint webhook_deliveries_pkey primary key (platform_id, event_seq),
  constraint webhook_deliveries_state check (state in ('WAITING', 'BEHIND', 'FAILED')),
  constraint webhook_deliveries_next_at check ((state = 'WAITING') = (next_at is not null))
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (platform_id, next_at) where state = 'WAITING';
create index webhook_deliveries_subject on webhook_deliveries (platform_id, subject, event_seq) where state <> 'FAILED';

-- What was written once stays. Only an answer may be dropped from the log, after its retention: the chain keeps its digest.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'FL002';
end $$;

create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger events_append_only before update or delete on events
  for each row execute function refuse_change();
create trigger events_no_truncate before truncate on events
  for each statement execute function refuse_change();
create trigger command_log_append_only before delete on command_log
  for each row execute function refuse_change();
create trigger command_log_no_truncate before truncate on command_log
  for each statement execute function refuse_change();
create trigger command_log_keeps before update on command_log
  for each row when (
    row (old.platform_id, old.seq, old.id, old.name, old.actor, old.at, old.clock_offset_ms, old.idempotency_scope,
         old.idempotency_key, old.body_digest, old.status, old.answer_sealed, old.answer_digest, old.effects_digest, old.hash)
    is distinct from
    row (new.platform_id, new.seq, new.id, new.name, new.actor, new.at, new.clock_offset_ms, new.idempotency_scope,
         new.idempotency_key, new.body_digest, new.status, new.answer_sealed, new.answer_digest, new.effects_digest, new.hash)
    or new.answer is not null or new.idempotency_digest is not null
  ) execute function refuse_change();

-- The owner takes these rights from itself: a stray statement of ours is refused before any trigger has to.
do $$ begin
  execute format('revoke update, delete, truncate on ledger_entries, events from %I', current_user);
  execute format('revoke delete, truncate on command_log from %I', current_user);
end $$;

alter table ledger_entries set (autovacuum_vacuum_insert_scale_factor = 0.5);
alter table jobs set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table ledger_accounts set (autovacuum_vacuum_scale_factor = 0.1);
