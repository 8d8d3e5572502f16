-- Who makes a queued order by hand at the bank now. One row for each order that was ever taken; the id is that of the order.
create table rail_order_leases (
  platform_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  person_name text not null,
  until timestamptz not null,
  constraint rail_order_leases_pkey primary key (platform_id, id)
);
create index rail_order_leases_until on rail_order_leases (platform_id, until);
