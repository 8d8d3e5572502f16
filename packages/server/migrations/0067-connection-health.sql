-- When entries or a balance of the account outside were last taken in, what the connector says that it can do, and callbacks about payments
-- that the connection does not have: their number, and the last of them.
alter table rail_connections add column last_import_at timestamptz;
alter table rail_connections add column features json;
alter table rail_connections add column unknown_payments json not null default '{"count": 0, "latest": []}';
alter table rail_connections alter column unknown_payments drop default;
update rail_connections c set last_import_at = (
  select max(b.told_at) from rail_books b where b.platform_id = c.platform_id and b.connection_id = c.id
);
