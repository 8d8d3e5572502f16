-- How many rows of each long list a platform has, by the day they were made (UTC, days since 1970) and by kind. Every commit that
-- adds or changes such rows moves them.
create table list_totals (
  platform_id uuid not null,
  list text not null,
  day int4 not null,
  kind text not null,
  total int8 not null,
  constraint list_totals_pkey primary key (platform_id, list, day, kind)
) with (fillfactor = 50);

-- A server of the version before would add rows that nobody counts: it can move no head any more, and answers 503.
-- Its function is replaced and not renamed: a statement that is prepared keeps the function it found, whatever that is called.
create or replace function advance_platform_head(
  of_platform uuid, expected_seq int8, expected_chain_hash bytea, new_seq int8, new_event_seq int8,
  new_clock_offset_ms int8, new_last_at timestamptz, new_chain_hash bytea
) returns void language plpgsql as $$
begin
  raise exception 'the schema is newer than this server: replace it' using errcode = '55P03';
end $$;

-- Moves a head on from a known place. The caller sends it first in the same breath as all its writes: when another
-- writer was here in between, it fails, and everything behind it is skipped.
create function move_platform_head(
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
