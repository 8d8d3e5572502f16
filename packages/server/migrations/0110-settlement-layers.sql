-- The layers on which a connector makes and pays invoices, as it described them last; and routes that say which connections make invoices.
alter table rail_connections add column settlement json not null default '[]';
alter table rail_connections alter column settlement drop default;
-- No connector was asked before whether it has the feature.
update rail_connections set features = (features::jsonb || '{"invoices": false}')::json where features is not null;
alter table rail_routes drop constraint rail_routes_direction;
alter table rail_routes add constraint rail_routes_direction check (direction in ('OUT', 'PULL', 'FUNDING', 'INVOICE'));
