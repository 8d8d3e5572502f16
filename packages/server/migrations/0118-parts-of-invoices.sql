-- The items of money that came as parts of the amount of an invoice, where its layer takes partial payments.
alter table uma_invoices add column parts json;
