-- What institutions of payers have told under the travel rule, sealed. The id is that of the transaction.
create table uma_travel_rules (
  platform_id uuid not null,
  id uuid not null,
  seal_id uuid not null,
  format text,
  content_sealed text not null,
  created_at timestamptz not null,
  constraint uma_travel_rules_pkey primary key (platform_id, id)
);
