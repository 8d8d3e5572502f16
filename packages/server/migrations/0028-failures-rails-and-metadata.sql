-- Why a payment failed, for an operator, and the caller's own keys and values. All columns are null in rows of before: a payment
-- that failed earlier is shown without `failure`.
alter table transactions add column failure json, add column metadata json;
alter table quotes add column payment_rail text, add column metadata json;
alter table customers add column metadata json;
alter table external_accounts add column metadata json;
alter table agent_actions add column metadata json;
