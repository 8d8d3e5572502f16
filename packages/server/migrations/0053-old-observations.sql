-- Old observations of rates are deleted, but for those that were in use when a quote was priced. The sweep looks at each once: those that stay are kept.
alter table rate_observations add column is_kept bool not null default false;
create index rate_observations_old on rate_observations (created_at) where not is_kept;
create index quote_prices_source on quote_prices (platform_id, source_id, created_at);
