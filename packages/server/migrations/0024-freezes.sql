-- A frozen customer or account. A customer's freeze is copied to each of the customer's accounts, so that a payment reads
-- the account alone.
alter table customers add column frozen json;
alter table internal_accounts add column frozen json, add column customer_freeze json;
