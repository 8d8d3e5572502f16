-- Signed checkpoints of the command log: the hash of a command with all before it. A row is written once.
create table chain_checkpoints (
  platform_id uuid not null,
  id uuid not null,
  seq int8 not null,
  chain_hash bytea not null,
  -- Of that command.
  at timestamptz not null,
  public_key text not null,
  key_id text not null,
  signature text not null,
  created_at timestamptz not null,
  constraint chain_checkpoints_pkey primary key (platform_id, id)
);
create index chain_checkpoints_seq on chain_checkpoints (platform_id, seq, id);
create trigger chain_checkpoints_append_only before update or delete on chain_checkpoints
  for each row execute function refuse_change();
create trigger chain_checkpoints_no_truncate before truncate on chain_checkpoints
  for each statement execute function refuse_change();
revoke update, delete, truncate on chain_checkpoints from current_user;
