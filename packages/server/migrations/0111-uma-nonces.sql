-- Signed messages of other institutions that were accepted, so that none is accepted again. The id is made of the digest of the kind of
-- message, the domain that signed and the text that was signed. signed_at is the time in the message; a sweep deletes the row 15 minutes
-- later. Lookups write here beside the engine, payments and hooks in the commit of their effect.
create table uma_nonces (
  platform_id uuid not null,
  id uuid not null,
  signed_at timestamptz not null,
  constraint uma_nonces_pkey primary key (platform_id, id)
);
create index uma_nonces_signed_at on uma_nonces (signed_at);
