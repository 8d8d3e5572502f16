-- The zone whose days are the periods of statements that are ordered from now on. A statement keeps the zone it was ordered in.
alter table platforms add column statement_time_zone text not null default 'UTC';

-- A token past `expires_at` (platform time) is refused like an unknown one. `created_by` is a token's id or `operator`; null for
-- tokens of earlier versions.
alter table tokens
  add column expires_at timestamptz,
  add column created_by text;

-- The last UTC day on which a token was used. Written beside the engine, once a day for each token and server.
create table token_uses (
  platform_id uuid not null,
  token_id uuid not null,
  day date not null,
  constraint token_uses_pkey primary key (platform_id, token_id)
);
