-- The latest invoices of an account, for the bound of those that were not paid.
create index uma_invoices_latest on uma_invoices (platform_id, account_id, created_at);
