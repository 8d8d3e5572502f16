-- Payments that pay an invoice of another institution: what it asks for on the quote, and the invoice on the order.
alter table quotes add column settlement json;
-- A dry run has an estimate without an invoice; it is never stored.
alter table quotes add constraint quotes_settlement_check check (settlement is null or settlement ->> 'invoice' <> '');
alter table rail_payments add column invoice json;
-- The invoices that quotes pay. The id is made of layer and invoice, so an invoice has one quote.
create table quote_invoices (
  platform_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  created_at timestamptz not null,
  constraint quote_invoices_pkey primary key (platform_id, id)
);
-- No two platforms pay one invoice.
create unique index quote_invoices_once on quote_invoices (id);
