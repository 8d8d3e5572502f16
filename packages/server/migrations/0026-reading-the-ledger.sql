-- Reads of the books: entries of an account in the order of its versions, postings of a reason, accounts by currency, and the
-- few system accounts of a platform.
create index ledger_entries_account on ledger_entries (platform_id, account_id, version);
create index ledger_entries_reason on ledger_entries (platform_id, reason, command_seq, line);
create index ledger_accounts_currency on ledger_accounts (platform_id, currency, id);
create index ledger_accounts_system on ledger_accounts (platform_id, kind, id) where kind <> 'internal';

-- The first command of this moment or later; one past the last command when there is none. Commands are numbered without gaps
-- and their times never go back.
create function command_seq_at(of_platform uuid, moment timestamptz) returns int8 language plpgsql stable as $$
declare
  low int8 := 1;
  high int8;
  middle int8;
begin
  select h.seq + 1 into high from platform_heads h where h.platform_id = of_platform;
  while low < high loop
    middle := (low + high) / 2;
    if (select l.at < moment from command_log l where l.platform_id = of_platform and l.seq = middle) then
      low := middle + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;

-- The same of the entries of an account, whose versions have no gaps either.
create function entry_version_at(of_platform uuid, of_account uuid, moment timestamptz) returns int8 language plpgsql stable as $$
declare
  low int8 := 1;
  high int8;
  middle int8;
begin
  select coalesce(max(e.version), 0) + 1 into high from ledger_entries e
  where e.platform_id = of_platform and e.account_id = of_account;
  while low < high loop
    middle := (low + high) / 2;
    if (select e.at < moment from ledger_entries e
        where e.platform_id = of_platform and e.account_id = of_account and e.version = middle) then
      low := middle + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;

-- The events of a command: they say which transaction its postings belong to.
create index events_command on events (platform_id, command_seq);

-- What the accounts of each kind and currency held after a command, so that a sum of a moment reads the entries since then
-- and no more. Kept by the sweeper, not by the engine: a missing row costs time and no truth.
create table ledger_checkpoints (
  platform_id uuid not null,
  command_seq int8 not null,
  kind text not null,
  currency text not null,
  balance_minor numeric not null,
  constraint ledger_checkpoints_pkey primary key (platform_id, command_seq, kind, currency)
);
