-- Rows of some tables that a commit added or changed, until the search index has taken them up. Payments write none: they are followed by
-- their events.
create table row_changes (
  platform_id uuid not null,
  seq int8 not null,
  list text not null,
  id uuid not null,
  constraint row_changes_pkey primary key (platform_id, seq, list, id)
);

-- The search index: for each term of a batch the objects that have it, 16 bytes an id. The binary order of terms makes a prefix a range.
create table search_terms (
  platform_id uuid not null,
  kind text not null,
  is_personal bool not null,
  term text collate "C" not null,
  batch int8 not null,
  ids bytea not null,
  constraint search_terms_pkey primary key (platform_id, kind, is_personal, term, batch)
);

-- How far the index of a platform goes. While build_kind is set, all objects are being read, those of this kind behind build_after.
create table search_positions (
  platform_id uuid not null,
  event_seq int8 not null default 0,
  batches int8 not null default 0,
  build_kind text,
  build_after uuid not null default '00000000-0000-0000-0000-000000000000',
  leased_by uuid,
  leased_until timestamptz not null default '2000-01-01T00:00:00Z',
  constraint search_positions_pkey primary key (platform_id)
) with (fillfactor = 50);

-- Moves the position on and ends the lease. It fails when another server was there, and what is sent behind it is skipped.
create function step_search_position(
  of_platform uuid, of_owner uuid, expected_batches int8, new_event_seq int8, new_build_kind text, new_build_after uuid
) returns void language plpgsql as $$
begin
  update search_positions set
    event_seq = new_event_seq, batches = expected_batches + 1, build_kind = new_build_kind, build_after = new_build_after,
    leased_until = '2000-01-01T00:00:00Z'
  where platform_id = of_platform and leased_by = of_owner and batches = expected_batches;
  if not found then
    raise exception 'another server has indexed the platform meanwhile' using errcode = 'FL003';
  end if;
end $$;
