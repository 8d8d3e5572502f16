-- When a route, an order, an item or a mark that may keep the connection from being archived came or changed last. Null before the first.
alter table rail_connections add column touched_at timestamptz;
