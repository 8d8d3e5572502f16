-- Answers of other institutions to lookups, for the quote that follows. They are sealed: the callback in an answer is a capability. A sweep
-- deletes a row a day after the lookup. Host time.
create table uma_lookups (
  platform_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  asked_at timestamptz not null,
  constraint uma_lookups_pkey primary key (platform_id, id)
);
create index uma_lookups_asked_at on uma_lookups (asked_at);
