-- The UMA domains of platforms, each with the result of the last check of its routing. A released domain keeps its row, which is marked.
create table uma_domains (
  platform_id uuid not null,
  id uuid not null,
  domain text not null,
  is_primary bool not null,
  status text not null,
  callback_base text not null,
  verified_at timestamptz,
  last_check json,
  failed_checks int4 not null,
  next_check_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint uma_domains_pkey primary key (platform_id, id),
  constraint uma_domains_status check (status in ('CLAIMED', 'ACTIVE', 'UNREACHABLE')),
  constraint uma_domains_callback_base check (callback_base in ('PUBLIC_URL', 'DOMAIN')),
  constraint uma_domains_verified check ((verified_at is null) = (status = 'CLAIMED'))
);
create unique index uma_domains_once on uma_domains (platform_id, domain) where deleted_at is null;

-- The domains that platforms have, each with a UUIDv7 of the platform's creation. When each was claimed is not known.
insert into uma_domains (
  platform_id, id, domain, is_primary, status, callback_base, failed_checks, created_at, updated_at
)
  select platform_id,
      (substr(time, 1, 8) || '-' || substr(time, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
      domain, domain = uma_domain, 'CLAIMED', 'PUBLIC_URL', 0, created_at, created_at
    from (
      select p.platform_id, p.uma_domain, p.created_at, d.domain,
          lpad(to_hex(floor(extract(epoch from p.created_at) * 1000)::int8), 12, '0') as time
        from platforms p, json_array_elements_text(p.uma_domains::json) d (domain)
    ) t;
