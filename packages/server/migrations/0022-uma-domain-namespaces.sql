-- UMA domains and addresses get a namespace, sandbox or production, and a domain excludes those above and below it that belong
-- to other platforms. Both tables are reference tables when the database is distributed: they hold names of the deployment.

-- `pay.example.com` becomes `com.example.pay`, and the other way: what lies below a domain is then a range of the primary key.
create function reversed_labels(of_name text) returns text language sql immutable as $$
  select string_agg(label, '.' order by place desc) from unnest(string_to_array(of_name, '.')) with ordinality x (label, place)
$$;

create table domain_claims (
  namespace text not null,
  reversed text collate "C" not null,
  platform_id uuid not null,
  constraint domain_claims_pkey primary key (namespace, reversed)
);
create index domain_claims_platform on domain_claims (platform_id);

-- One row for each pair of last labels under which a domain was ever claimed. Two domains of which one lies below the other have
-- the same row, so its lock puts their claims in an order.
create table domain_roots (
  namespace text not null,
  reversed text not null,
  constraint domain_roots_pkey primary key (namespace, reversed)
);

-- Claims a domain of at least two labels. Fails with `domain_claims_pkey` when any platform has it, and with `domain_claims_apart`
-- when another platform has one above or below it. The check is a statement after the lock, so under "read committed" it sees
-- what the transaction that held the lock before has committed.
create function claim_domain(of_platform uuid, in_namespace text, claimed_domain text) returns void language plpgsql as $$
declare
  labels text[] := string_to_array(reversed_labels(claimed_domain), '.');
  claimed text := array_to_string(labels, '.');
begin
  insert into domain_roots (namespace, reversed) values (in_namespace, array_to_string(labels[1:2], '.'))
    on conflict (namespace, reversed) do update set reversed = excluded.reversed;
  insert into domain_claims (namespace, reversed, platform_id) values (in_namespace, claimed, of_platform);
  if exists (
    select from domain_claims c
    where c.namespace = in_namespace and c.platform_id <> of_platform
      and c.reversed > claimed || '.' and c.reversed < claimed || '/'
  ) or exists (
    select from domain_claims c
    where c.namespace = in_namespace and c.platform_id <> of_platform
      and c.reversed in (select array_to_string(labels[1:n], '.') from generate_series(2, cardinality(labels) - 1) n)
  ) then
    raise exception 'another platform has a domain above or below'
      using errcode = 'exclusion_violation', constraint = 'domain_claims_apart';
  end if;
end $$;

-- Commits of the version before that write to the directory end first. What it still writes afterwards has the old form of a
-- handle and is refused by `directory_namespaced`.
lock table directory in exclusive mode;

-- Domains that overlap already stay with their platforms: only new claims are refused.
insert into domain_claims (namespace, reversed, platform_id)
  select lower(p.environment), reversed_labels(substr(d.handle, length('uma-domain:') + 1)), d.platform_id
  from directory d join platforms p on p.platform_id = d.platform_id and p.id = d.platform_id
  where d.handle like 'uma-domain:%';
delete from directory where handle like 'uma-domain:%';

update directory d set handle = 'uma:' || lower(p.environment) || ':' || substr(d.handle, length('uma:') + 1)
  from platforms p
  where p.platform_id = d.platform_id and p.id = d.platform_id and d.handle like 'uma:$%';
alter table directory add constraint directory_namespaced check (handle !~ '^uma(:\$|-domain:)');

-- A server of the version before finds no address any more and would decline payments that have arrived: it can move no head
-- any more, and answers 503. Its function is replaced and not renamed: a prepared statement keeps the function it found.
create or replace function move_platform_head(
  of_platform uuid, expected_seq int8, expected_chain_hash bytea, new_seq int8, new_event_seq int8,
  new_clock_offset_ms int8, new_last_at timestamptz, new_chain_hash bytea
) returns void language plpgsql as $$
begin
  raise exception 'the schema is newer than this server: replace it' using errcode = '55P03';
end $$;

-- Moves a head on from a known place. The engine sends it first in the pipeline of all its writes: when another writer has moved
-- the head in between, it fails, and PostgreSQL skips the rest of the pipeline.
create function step_platform_head(
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
