-- Entries that the connector told in its feed and that could not be taken: their number, and the last of them.
alter table rail_connections add column refused_entries json not null default '{"count": 0, "latest": []}';
alter table rail_connections alter column refused_entries drop default;
