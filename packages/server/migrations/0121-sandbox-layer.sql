-- The layer that settles between sandboxes is a connection that no request attaches.
alter table rail_connections drop constraint rail_connections_kind;
alter table rail_connections add constraint rail_connections_kind check (kind in ('HTTP', 'MANUAL', 'SANDBOX'));
