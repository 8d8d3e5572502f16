-- A connection has books of its own. An account of one of these kinds names its connection; no other account does.
alter table ledger_accounts add column connection_id uuid;
alter table ledger_accounts add constraint ledger_accounts_connection check ((kind = 'clearing') = (connection_id is not null));
create index ledger_accounts_of_connection on ledger_accounts (platform_id, connection_id, id) where connection_id is not null;
