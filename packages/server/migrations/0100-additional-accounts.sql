-- Accounts beside the default ones. Every account that is there is a default one: `additional` is null.
alter table internal_accounts add column additional json;
alter table internal_accounts add column name text;
alter table internal_accounts add column metadata json;
alter table internal_accounts add column changed_at timestamptz;
-- Lists and counts the additional accounts of a holder, and of all; the default ones are not in it.
create index internal_accounts_additional on internal_accounts (platform_id, customer_id, id) where additional is not null;
update list_totals set kind = kind || ' default' where list = 'internal_accounts';
