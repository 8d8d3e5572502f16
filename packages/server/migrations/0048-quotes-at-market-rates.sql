-- How the price of a quote of a production platform was made: one row for each quote with an exchange, with the quote's id. The
-- fractions are text, because they are exact and of any length. The quote's own rate is this one, or the nearest that fits its
-- columns.
create table quote_prices (
  platform_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  source_name text not null,
  rate_as_of timestamptz not null,
  mid text not null,
  spread_bps int4 not null,
  spreads_version int4 not null,
  rate text not null,
  fee_rule json,
  fees_version int4 not null,
  created_at timestamptz not null,
  constraint quote_prices_pkey primary key (platform_id, id)
);

-- What quotes under way will move of a platform's position in a currency, and how far the position may go. One row a currency, whose id
-- follows from the currency. The position itself is the balance of the ledger's `fx` account and what is committed.
create table fx_positions (
  platform_id uuid not null,
  id uuid not null,
  currency text not null,
  committed_minor int8 not null,
  max_long int8,
  max_short int8,
  updated_at timestamptz not null,
  constraint fx_positions_pkey primary key (platform_id, id),
  constraint fx_positions_limits check (coalesce(max_long, 0) >= 0 and coalesce(max_short, 0) >= 0)
) with (fillfactor = 80);
