-- Alerts on the available balance, in the row of the account; null for an account without one.
alter table internal_accounts add column alerts json;
