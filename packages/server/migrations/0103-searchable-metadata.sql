-- The keys of metadata by which a platform finds its objects, and where the reading of older objects is. No row: none.
create table metadata_settings (
  platform_id uuid not null,
  id uuid not null,
  keys json not null,
  build json,
  updated_at timestamptz not null,
  constraint metadata_settings_pkey primary key (platform_id, id)
);

-- The objects by the values of these keys. A row may be out of date, so a list reads the object as well. The values are not stored: a value is
-- long, and may be personal.
create table metadata_terms (
  platform_id uuid not null,
  list text not null,
  key text not null,
  digest uuid not null,
  id uuid not null,
  constraint metadata_terms_pkey primary key (platform_id, list, key, digest, id)
);
