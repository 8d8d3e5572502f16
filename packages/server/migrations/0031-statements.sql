-- Statements of accounts. The figures come with state READY. The file is not stored: the entries never change, so it is written
-- anew, with the same bytes, each time that it is read.
create table statements (
  platform_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  currency text not null,
  format text not null,
  from_date text not null,
  to_date text not null,
  zone text not null,
  number int4,
  state text not null,
  first_version int8,
  last_version int8,
  opening_minor int8,
  closing_minor int8,
  in_minor int8,
  out_minor int8,
  sha256 text,
  created_at timestamptz not null,
  constraint statements_pkey primary key (platform_id, id),
  constraint statements_state check (state in ('PENDING', 'READY')),
  constraint statements_ready check ((state = 'READY') = (sha256 is not null))
) with (fillfactor = 80);
create index statements_account on statements (platform_id, account_id, id);
