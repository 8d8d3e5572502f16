-- A link to the pages where a customer brings what its verification needs. It is found by the hash of its code: the code
-- itself is nowhere in the database.
create table verification_links (
  platform_id uuid not null,
  id uuid not null,
  code_hash text not null,
  customer_id uuid not null,
  redirect_uri text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  constraint verification_links_pkey primary key (platform_id, id),
  constraint verification_links_life check (expires_at > created_at),
  constraint verification_links_used check (used_at < expires_at)
);
create unique index verification_links_code on verification_links (platform_id, code_hash);
