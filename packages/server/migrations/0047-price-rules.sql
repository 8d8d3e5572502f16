-- What a platform adds to the rates of its sources: the spreads and fees in use, one row a platform with the platform's id, which a quote
-- reads; and every version that there was. Amounts in the rules are text, because JSON has no whole numbers of this size.
create table price_rules (
  platform_id uuid not null,
  id uuid not null,
  spreads json not null,
  spreads_version int4 not null,
  fees json not null,
  fees_version int4 not null,
  updated_at timestamptz not null,
  constraint price_rules_pkey primary key (platform_id, id)
);

create table price_rule_versions (
  platform_id uuid not null,
  id uuid not null,
  kind text not null,
  version int4 not null,
  rules json not null,
  created_at timestamptz not null,
  constraint price_rule_versions_pkey primary key (platform_id, id),
  constraint price_rule_versions_kind check (kind in ('SPREADS', 'FEES'))
);
create unique index price_rule_versions_version on price_rule_versions (platform_id, kind, version);
