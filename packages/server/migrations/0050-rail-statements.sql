-- What the entries of a connection came to in one currency, updated by every entry, and the statement that was recorded last. The opening is
-- what the account outside had before its first entry: the first statement less the entries that it covers. told_count also counts lines
-- that were undone, so that a change of the sum is always a change of the count.
create table rail_books (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  currency text not null,
  told_count int8 not null,
  told_minor int8 not null,
  told_at timestamptz,
  opening_minor int8,
  opening_day text,
  opening_read_at timestamptz,
  closing_minor int8,
  closing_day text,
  closing_count int8,
  unexplained_minor int8,
  constraint rail_books_pkey primary key (platform_id, id),
  constraint rail_books_once unique (platform_id, connection_id, currency),
  constraint rail_books_opening check ((opening_minor is null) = (opening_day is null)),
  constraint rail_books_closing check ((closing_minor is null) = (closing_day is null))
) with (fillfactor = 80);

-- What the keeper of an account outside said lies there: a balance that was typed in covers the entries that were booked up to its day,
-- one that was read from a connector those that were told before read_at.
create table rail_statements (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  currency text not null,
  source text not null,
  day text not null,
  read_at timestamptz,
  closing_minor int8 not null,
  opening_minor int8 not null,
  unexplained_minor int8 not null,
  recorded_by text not null,
  created_at timestamptz not null,
  constraint rail_statements_pkey primary key (platform_id, id),
  constraint rail_statements_source check (source in ('MANUAL', 'CONNECTOR')),
  constraint rail_statements_read_at check ((source = 'CONNECTOR') = (read_at is not null))
);
create index rail_statements_day on rail_statements (platform_id, connection_id, currency, day, id);
create trigger rail_statements_append_only before update or delete on rail_statements
  for each row execute function refuse_change();
create trigger rail_statements_no_truncate before truncate on rail_statements
  for each statement execute function refuse_change();

-- Sums of entries behind a statement, from the index alone.
create index rail_entries_booked_on on rail_entries (platform_id, connection_id, currency, booked_on)
  include (direction, amount_minor);
-- An item that was resolved as a duplicate is that in full.
create index rail_items_undone on rail_items (platform_id, connection_id)
  where state = 'RESOLVED' and resolution #>> '{parts,0,kind}' = 'DUPLICATE_OF';

-- moves_nothing: the settlement was reported, and no account could take the money. untold_minor: what the order's reports have moved outside
-- by the books, less what its entries told.
alter table rail_payments add column moves_nothing bool not null default false;
alter table rail_payments add column untold_minor int8 not null default 0;
alter table rail_payments alter column moves_nothing drop default;
alter table rail_payments alter column untold_minor drop default;
update rail_payments r set moves_nothing = true
  from transactions t where t.platform_id = r.platform_id and t.id = r.transaction_id
    and r.direction = 'PULL' and r.state = 'SETTLED' and t.status = 'FAILED';
update rail_payments r set untold_minor = case r.direction when 'OUT' then -1 else 1 end * r.amount_minor *
    ((r.settled_entry_id is null)::int - (r.state = 'RETURNED' and r.returned_entry_id is null)::int)
  where r.state in ('SETTLED', 'RETURNED') and not r.moves_nothing;
create index rail_payments_untold on rail_payments (platform_id, connection_id, currency) include (untold_minor)
  where untold_minor <> 0;

insert into rail_books (platform_id, id, connection_id, currency, told_count, told_minor, told_at)
  select e.platform_id, gen_random_uuid(), e.connection_id, e.currency, count(*) + count(i.id),
    sum(case when i.id is null then case e.direction when 'CREDIT' then e.amount_minor else -e.amount_minor end else 0 end), max(e.created_at)
  from rail_entries e
  left join rail_items i on i.platform_id = e.platform_id and i.entry_id = e.id
    and i.state = 'RESOLVED' and i.resolution #>> '{parts,0,kind}' = 'DUPLICATE_OF'
  group by e.platform_id, e.connection_id, e.currency;

-- The zone of a connection and the days on which its bank works.
alter table rail_connections add column calendar json not null default '{"timeZone": "UTC", "holidays": []}';
alter table rail_connections alter column calendar drop default;
