create table quotes (
  platform_id uuid not null,
  id uuid not null,
  status text not null,
  customer_id uuid,
  source json not null,
  destination json not null,
  source_account_id uuid,
  destination_account_id uuid,
  destination_uma text,
  sending_currency text not null,
  receiving_currency text not null,
  sending_minor int8 not null,
  receiving_minor int8 not null,
  fees_minor int8 not null,
  fixed_fee_minor int8 not null,
  variable_fee_minor int8 not null,
  variable_fee_millionths int8 not null,
  counterparty_fee_minor int8 not null,
  converted_minor int8 not null,
  rate_numerator int8 not null,
  rate_denominator int8 not null,
  payment_instructions json,
  counterparty_information json,
  payer_information json,
  description text,
  transaction_id uuid not null,
  expiry_job_id uuid,
  funded_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  constraint quotes_pkey primary key (platform_id, id),
  constraint quotes_amounts check (sending_minor > 0 and receiving_minor > 0 and fees_minor >= 0
    and sending_minor >= fixed_fee_minor + variable_fee_minor + converted_minor),
  constraint quotes_rate check (rate_numerator > 0 and rate_denominator > 0)
) with (fillfactor = 80);
create index quotes_customer on quotes (platform_id, customer_id, id);
create index quotes_source on quotes (platform_id, source_account_id, id) where source_account_id is not null;
create index quotes_destination on quotes (platform_id, destination_account_id, id) where destination_account_id is not null;
create index quotes_destination_uma on quotes (platform_id, destination_uma, id) where destination_uma is not null;
