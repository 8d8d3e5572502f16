-- The counterparties of a sandbox live at its sandbox domain, which is claimed with the platform from now on. Platforms that
-- were made before have theirs claimed here, but for a domain that somebody took in the meantime.
insert into directory (handle, platform_id)
  select 'uma-domain:' || sandbox_uma_domain, platform_id from platforms where sandbox_uma_domain is not null
  on conflict do nothing;
