-- Exports of lists. `position` is where the next part goes on; `command_seq`, `event_seq` and `as_of` say what the rows show.
create table exports (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  format text not null,
  filter json not null,
  state text not null,
  command_seq int8,
  event_seq int8,
  as_of timestamptz,
  position text,
  parts int4 not null,
  row_count int4 not null,
  changed_rows int4 not null,
  bytes int8 not null,
  failure text,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz,
  constraint exports_pkey primary key (platform_id, id),
  constraint exports_state check (state in ('PENDING', 'READY', 'FAILED', 'EXPIRED')),
  constraint exports_ended check ((state = 'PENDING') = (completed_at is null))
) with (fillfactor = 70);
create index exports_unfinished on exports (platform_id) where state = 'PENDING';

-- The sealed files that an export is made of; `id` is the file. A row stays when the chunks of its file are deleted.
create table export_parts (
  platform_id uuid not null,
  id uuid not null,
  export_id uuid not null,
  number int4 not null,
  bytes int4 not null,
  constraint export_parts_pkey primary key (platform_id, id),
  constraint export_parts_number unique (platform_id, export_id, number)
);
